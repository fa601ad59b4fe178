/* dslc interp FILE: runs a program in the reference interpreter at a stage; for tests. */
#include "driver/driver.h"
#include "interp/interp.h"
#include "pipeline/pipeline.h"
#include "runtime/dsl.h"

int cmd_interp(const Options *o) {
    Stage stage = STAGE_IR;
    if (o->stage && !stage_find(o->stage, &stage)) {
        diag_report(o->session, NO_SPAN, E_UNKNOWN_STAGE, o->stage);
        return diagnostics_flush(o), EXIT_USAGE;
    }
    if (!link_load(o)) return diagnostics_flush(o);
    Module *m = compile_to(o, stage);
    if (m && m->derives) pipeline_derive(m, &o->pass); /* the interpreter knows no derivatives */
    if (m && stage == STAGE_IR && o->pass.check_nan) pipeline_run_list(m, "check-nan", &o->pass);
    if (m && stage == STAGE_IR && o->pass.pairs) pipeline_run_list(m, "index-form,pairs", &o->pass);
    int status = diagnostics_flush(o);
    if (!m || status) return module_free(m), status;
    dsl_set_arguments(o->prog_args.len + 1, program_argv(o));
    if (!module_takes_arguments(m)) dsl_no_arguments();
    dsl_set_home(home_of(o->session, o->inputs.data[0]));
    InterpOptions io = {.seed = (uint64_t)o->seed,
                        .check_races = o->races,
                        .tell_where = o->where,
                        .max_steps = o->max_steps,
                        .only_test = o->filter};
    status = interp_run(m, &io);
    module_free(m);
    return status;
}
