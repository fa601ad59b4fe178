! The library from Fortran: arrays as they are, with their axes in the other order.
module waves
    use iso_c_binding
    implicit none
    type, bind(c) :: medium
        real(c_double) :: speed, spacing
        real(c_float) :: damping
        type(c_ptr) :: name
        integer(c_int64_t) :: shift(2)
    end type
    type, bind(c) :: body
        real(c_double) :: x, y
        integer(c_int32_t) :: id
    end type
    interface
        type(c_ptr) function waves_context_new() bind(c)
            import
        end function
        subroutine waves_context_free(context) bind(c)
            import
            type(c_ptr), value :: context
        end subroutine
        subroutine waves_free(elements) bind(c)
            import
            type(c_ptr), value :: elements
        end subroutine
        type(c_ptr) function waves_error(context) bind(c)
            import
            type(c_ptr), value :: context
        end function
        integer(c_int) function waves_step(context, n, m, u, med, steps, r) bind(c)
            import
            type(c_ptr), value :: context
            integer(c_int64_t), value :: n, m, steps
            real(c_double), intent(in) :: u(*)
            type(medium), intent(in) :: med
            real(c_double), intent(out) :: r(*)
        end function
        integer(c_int) function waves_moved(context, n, b, by, r) bind(c)
            import
            type(c_ptr), value :: context
            integer(c_int64_t), value :: n
            type(body), intent(in) :: b(*)
            real(c_double), value :: by
            type(body), intent(out) :: r(*)
        end function
        integer(c_int) function waves_positive(context, n, x, found, values, places) bind(c)
            import
            type(c_ptr), value :: context
            integer(c_int64_t), value :: n
            real(c_double), intent(in) :: x(*)
            integer(c_int64_t), intent(out) :: found
            type(c_ptr), intent(out) :: values, places
        end function
    end interface
end module

program client
    use waves
    implicit none
    type(c_ptr) :: context, values, places
    real(c_double) :: u(4, 3), r(4, 3)      ! in the library: 3 rows of 4
    real(c_double), pointer :: found_values(:)
    integer(c_int64_t) :: found
    character(kind=c_char), pointer :: text(:)
    character(kind=c_char), target :: air(4) = ["a", "i", "r", c_null_char]
    type(body) :: b(2), moved(2)
    integer :: wrong
    wrong = 0
    context = waves_context_new()
    u = 0
    u(2:3, 2) = [1d0, 2d0]
    if (waves_step(context, 3_8, 4_8, u, medium(1, 1, 0.5, c_loc(air), [3, 4]), 1_8, r) /= 0) wrong = wrong + 1
    if (abs(r(3, 2) + 1.5d0) > 1d-15) wrong = wrong + 1
    b(1) = body(1, 2, 3)
    b(2) = body(4, 5, 6)
    if (waves_moved(context, 2_8, b, 0.5d0, moved) /= 0 .or. moved(2)%x /= 4.5d0 .or. moved(2)%id /= 6) wrong = wrong + 1
    if (waves_positive(context, 12_8, u, found, values, places) /= 0 .or. found /= 2) wrong = wrong + 1
    call c_f_pointer(values, found_values, [found])
    if (found_values(2) /= 2) wrong = wrong + 1
    call waves_free(values)
    call waves_free(places)
    if (waves_step(context, -3_8, 4_8, u, medium(1, 1, 0.5, c_loc(air), [3, 4]), 1_8, r) /= 2) wrong = wrong + 1
    call c_f_pointer(waves_error(context), text, [12])
    if (text(1) /= "e" .or. text(7) /= "E") wrong = wrong + 1
    call waves_context_free(context)
    print "(i0,a)", wrong, " wrong"
    if (wrong /= 0) stop 1
end program
