# One Makefile, not recursive.  build/dslc is the product; every folder below is compiled into it.
#   make            build/dslc and build/libdslrt.a
#   make SAN=1      the same with ASan and UBSan, in build/san
#   make LIBFUZZER=1 libfuzzer   feeds bytes to the readers, TIME=600 seconds to each (clang)
CC      ?= cc
B       := build$(if $(SAN),/san)$(if $(LIBFUZZER),/libfuzzer)
OPTIM   ?= -O2
CFLAGS  += -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Werror=implicit-function-declaration -g $(OPTIM) -fno-omit-frame-pointer
CFLAGS  += -ffp-contract=off
CPPFLAGS+= -I. -I$(B)
# Extern functions of interpreted programs are found in the binary itself.
LDFLAGS += -no-pie -rdynamic -fopenmp
LDLIBS  := -lisl -ledit -lcmark -lm -ldl -lpthread
ifdef SAN
CFLAGS  += -fsanitize=address,undefined -fno-sanitize-recover=undefined
LDFLAGS += -fsanitize=address,undefined
endif
ifdef LIBFUZZER
CC      := clang
CFLAGS  += -Wno-error -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
LDFLAGS += -fsanitize=address,undefined
endif

FOLDERS := base ast grammar frontend ir analysis interp lower lower/ast opt opt/par opt/prove opt/tensor opt/loops opt/pairs opt/ranks ad codegen codegen/c \
           codegen/stablehlo pipeline runtime driver accuracy repl notebook export cli
SRCS    := $(sort $(wildcard $(FOLDERS:%=%/*.c)))
OBJS    := $(SRCS:%.c=$(B)/%.o)
GEN     :=
ifneq ($(wildcard grammar/parser.y),)
GEN     += $(B)/grammar/parser.tab.o $(B)/grammar/lexer.yy.o
endif
GEN     += $(B)/stdlib_embed.o
RULES   := $(wildcard opt/rules/*.rules)
GEN     += $(RULES:%.rules=$(B)/%.o)
HDRS    := $(foreach d,$(FOLDERS) codegen/llvm ad/rules,$(wildcard $d/*.h $d/*.def))

# LLVM 19 or newer, when it is there: --jit and --emit=llvm are in a plugin beside dslc
LLVM_CONFIG := $(firstword $(foreach v,22 21 20 19,$(shell command -v llvm-config-$(v))))
LLVM_PLUGIN := $(if $(SAN)$(LIBFUZZER),,$(if $(LLVM_CONFIG),$(if $(shell command -v clang),$(B)/libdslllvm.so)))

# MPI, when it is there: what executables of --target=mpi link, and with which words
MPICC   ?= mpicc
MPI_LIBRARY := $(if $(SAN)$(LIBFUZZER),,$(if $(shell command -v $(MPICC)),$(B)/libdslmpi.a))

.PHONY: all clean
all: $(B)/dslc $(B)/libdslrt.a $(LLVM_PLUGIN) $(MPI_LIBRARY)

$(B)/dslc: $(OBJS) $(GEN)
	$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

# Headers and tables are few and cross everything: one change rebuilds all, and nothing is ever stale.
$(B)/%.o: %.c $(HDRS) Makefile
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# ---- what compiled programs link
RT_OBJS := $(filter $(B)/runtime/%,$(OBJS))
$(RT_OBJS): CFLAGS += -fPIC
$(B)/libdslrt.a: $(RT_OBJS)
	rm -f $@ && ar rcs $@ $^
$(B)/runtime/blas.o: CFLAGS += -O3 -fopenmp
$(B)/runtime/share.o: CFLAGS += -fopenmp
# clang takes minutes for sanitized steps of FFT at -O3
$(B)/runtime/fft.o $(B)/runtime/fft_steps.o $(B)/runtime/sort.o $(B)/runtime/select.o: CFLAGS += $(if $(LIBFUZZER),-O1,-O3)
$(B)/runtime/elementary.o: CFLAGS += -O3 -fno-math-errno -fno-trapping-math

# ---- what those of --target=mpi link, too; the words: those of mpicc without its compiler and files
MPI_OBJS := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard runtime/mpi/*.c)))
$(MPI_OBJS): $(B)/%.o: %.c $(wildcard runtime/*.h runtime/mpi/*.h) Makefile
	@mkdir -p $(@D)
	@$(MPICC) $(CPPFLAGS) $(filter-out -Werror,$(CFLAGS)) -fPIC -c -o $@ $< # mpi.h may warn
$(B)/libdslmpi.a: $(MPI_OBJS)
	$(MPICC) -show x.o -o x | sed 's/^[^ ]* //; s/x[.]o//; s/-o x *//' >$(B)/libdslmpi.words
	rm -f $@ && ar rcs $@ $^

# ---- the plugin, and the runtime's short functions as bitcode in it
LLVM_OBJS := $(patsubst %.c,$(B)/%.o,$(sort $(wildcard codegen/llvm/*.c)))
# (headers have more inline where there is fma: for processors that have it, and for any)
INLINES := $(B)/inlines.bc $(B)/inlines_fma.bc
$(B)/inlines_fma.bc: CLANG_FLAGS := -mavx2 -mfma
$(INLINES): runtime/inlines.c $(wildcard runtime/*.h) Makefile
	@mkdir -p $(@D)
	clang -I. -std=c11 -D_GNU_SOURCE -O2 $(CLANG_FLAGS) -fno-strict-aliasing -ffp-contract=off -fwrapv -fno-math-errno -w -emit-llvm -c -o $@ $<
$(B)/codegen/llvm/optimize.o: $(INLINES)
# What kernels of a GPU call.  The processor's bitcode does for any other, once it names no instruction of its own.
DEVICE_BC := $(patsubst %,$(B)/gpu/%.bc,device inlines elementary warp)
DEVICE_CLANG = @mkdir -p $(@D) && clang -I. -std=c11 -D_GNU_SOURCE -DDSL_DEVICE -O2 -mfma -fno-vectorize -fno-slp-vectorize \
	-ffp-contract=off -fwrapv -fno-math-errno -fno-exceptions -fno-stack-protector -w -emit-llvm -c -o $@ $<
$(B)/gpu/%.bc: runtime/gpu/%.c runtime/half.c $(wildcard runtime/*.h) Makefile
	$(DEVICE_CLANG)
$(B)/gpu/%.bc: runtime/%.c $(wildcard runtime/*.h) Makefile
	$(DEVICE_CLANG)
$(B)/codegen/llvm/device.o: $(DEVICE_BC)
$(LLVM_OBJS): CFLAGS += -fPIC -fvisibility=hidden -I$(shell $(LLVM_CONFIG) --includedir) -DINLINES='"$(B)/inlines"' \
	-DDEVICE_BC='"$(B)/gpu/"'
$(B)/libdslllvm.so: $(LLVM_OBJS)
	$(CC) -shared -o $@ $^ $(shell $(LLVM_CONFIG) --ldflags --libs)

# ---- the library in the language itself, inside the binary
STDLIB  := $(sort $(wildcard stdlib/*.dsl))
$(B)/stdlib_embed.c: $(STDLIB) tools/embed.sh
	@mkdir -p $(@D)
	sh tools/embed.sh $(STDLIB) >$@
$(B)/stdlib_embed.o: $(B)/stdlib_embed.c ast/ast.h base/base.h
	@$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# ---- rules of rewriting, as tables
$(B)/rules: tools/rules.c $(HDRS)
	@mkdir -p $(@D)
	@$(CC) -I. $(filter-out -fsanitize%,$(CFLAGS)) -o $@ $<
.SECONDARY: $(RULES:%.rules=$(B)/%.c)
$(B)/opt/rules/%.c: opt/rules/%.rules $(B)/rules
	@mkdir -p $(@D)
	@$(B)/rules $< $* >$@.new && mv $@.new $@
$(B)/opt/rules/%.o: $(B)/opt/rules/%.c $(HDRS)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<

# ---- the style and the script of notebooks' pages, as string literals
$(B)/notebook/%.inc: notebook/%
	@mkdir -p $(@D)
	sed 's/[\\"]/\\&/g; s/.*/"&\\n"/' $< >$@
$(B)/notebook/html.o: $(B)/notebook/style.css.inc $(B)/notebook/live.js.inc

# ---- the grammar: bison and flex write into $(B)/grammar
$(B)/grammar/parser.tab.c $(B)/grammar/parser.tab.h &: grammar/parser.y
	@mkdir -p $(@D)
	bison -Wall -Werror --header=$(B)/grammar/parser.tab.h -o $(B)/grammar/parser.tab.c $<
$(B)/grammar/lexer.yy.c: grammar/lexer.l
	@mkdir -p $(@D)
	flex -o $@ $<
$(B)/grammar/lexer.yy.o: CFLAGS += -Wno-unused-function
$(filter $(B)/grammar/%,$(GEN)): $(B)/grammar/%.o: $(B)/grammar/%.c $(B)/grammar/parser.tab.h $(HDRS) Makefile
	@$(CC) $(CPPFLAGS) $(CFLAGS) -c -o $@ $<
$(patsubst %.c,$(B)/%.o,$(wildcard grammar/*.c)): $(B)/grammar/parser.tab.h

clean:
	rm -rf build

# ---- tests
UNIT := $(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/*_test.c))
$(B)/unit/%: tests/unit/%.c $(OBJS) $(GEN) $(HDRS)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $< $(filter-out $(B)/cli/main.o,$(OBJS)) $(GEN) -lcmocka $(LDLIBS)

.PHONY: test test-learn test-xla test-compilers test-jit test-sim test-mpi test-gpu test-gpu-fake units lint docs wc
units: $(UNIT)
test: all $(UNIT) build/gen build/reduce lint
	@tests/run.sh
# Every program by code in memory, or as a GPU would run it, for itself
test-jit test-sim test-mpi: test-%: all
	@KIND=$* tests/run.sh
# Every program by both compilers at -O3, for which make test has one each
test-compilers: all
	@EVERY=1 KIND=run tests/run.sh
# What is learned from some programs makes another faster that was not measured: half a minute on an idle machine
test-learn: all
	@tests/case.sh script $(CURDIR)/tests/learn/held_out.sh
# Programs of tests/run by XLA, which comes from PyPI with JAX
test-xla: all
	@tests/stablehlo/run.sh
# On the GPU of this machine: the first thing to run where there is one
test-gpu: all
	@echo 'print(sum([f64(i) for i in 0:1000]))' >$(B)/gpu.dsl; $(B)/dslc run --target=cuda --explain-transfers $(B)/gpu.dsl
	@KIND=gpu tests/run.sh
# The same with a driver that only notes what it is asked for, and kernels for the simulator
test-gpu-fake: all
	@mkdir -p $(B)/fake && $(CC) -std=c11 -D_GNU_SOURCE -shared -fPIC -I. -o $(B)/fake/libcuda.so.1 tests/gpu/fake_cuda.c
	@LD_LIBRARY_PATH=$(abspath $(B)/fake) DSL_GPU_SHADOW=1 DSL_NUM_THREADS=1 KIND=gpu tests/run.sh
lint:
	@B=$(B) tools/lint.sh
# What the compiler knows better than its documents
docs: all
	@tools/docs.sh $(B)/dslc >$(B)/ir.md && mv $(B)/ir.md docs/ir.md
	@rm -f docs/errors/*.md && mkdir -p docs/errors && tools/error_pages.sh $(B)/dslc docs/errors
wc:
	@for d in $(FOLDERS); do printf '%-12s' $$d; cat $$d/*.[chly] $$d/*.def 2>/dev/null | wc -l; done

# ---- tools: the generator of random programs, the reducer
HOST_CFLAGS := $(filter-out -fsanitize%,$(CFLAGS))
build/gen: $(wildcard tools/gen/*.c tools/gen/*.h)
	@mkdir -p $(@D)
	$(CC) -I. $(HOST_CFLAGS) -o $@ $(filter %.c,$^) -lm
build/reduce: tools/reduce.c
	@mkdir -p $(@D)
	$(CC) $(HOST_CFLAGS) -o $@ $<

.PHONY: fuzz
FUZZ ?= 3000
fuzz: all build/gen build/reduce
	@tests/fuzz.sh $(FUZZ) $(SEED)

.PHONY: mutants columns
MUTANTS ?= 40
mutants:
	@tools/mutants.sh $(MUTANTS) $(SEED)
columns:
	@tools/columns.sh $(or $(SEED),1) $(TABLE)

.PHONY: libfuzzer
LIBFUZZERS := $(patsubst tools/libfuzzer/%.c,$(B)/libfuzzer/%,$(wildcard tools/libfuzzer/*.c))
$(B)/libfuzzer/%: tools/libfuzzer/%.c $(OBJS) $(GEN)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -fsanitize=fuzzer -o $@ $< $(filter-out $(B)/cli/main.o,$(OBJS)) $(GEN) $(LDLIBS)
libfuzzer: $(LIBFUZZERS)
	@tools/libfuzzer/run.sh $(B)/libfuzzer $(or $(TIME),600) $(TARGETS)

.PHONY: check-elementary bench-elementary
SAMPLES ?= 100000000
STEP ?= 1
$(B)/elementary_check: tools/elementary_check.c $(B)/runtime/elementary.o
	$(CC) $(CPPFLAGS) $(HOST_CFLAGS) -o $@ $^ -lm
# The greatest errors of elementary functions: all floats of 32 bits, SAMPLES of 64; hours
check-elementary: $(B)/elementary_check
	@$< $(SAMPLES) $(STEP)
bench-elementary: all
	@tools/bench_elementary.sh

.PHONY: bench-jit bench bench-rodinia bench-polybench bench-outside bench-gradients bench-tune bench-compile
bench: all
	@tools/bench.sh $(CASES)
bench-jit: all
	@tools/bench_jit.sh $(CASES)
bench-rodinia: all
	@tools/bench.sh rodinia/
bench-outside: all
	@tools/bench.sh outside/
bench-polybench: all
	@tools/bench.sh polybench/
bench-gradients: all
	@bench/gradients/table.sh $(PROGRAMS)
.PHONY: bench-science pictures
bench-science: all
	@tools/bench_science.sh
# Of each kind, to be looked at
pictures: all
	@tools/pictures.sh
bench-mpi: all
	@bench/mpi/table.sh
bench-gpu: all
	@bench/gpu/all.sh
bench-tune: all
	@tools/bench_tune.sh $(FILES)
bench-compile: all build/gen
	@bench/compile_time.sh
