(module
 (func $fib (param $n i32) (result i32)
  (if (result i32) (i32.lt_s (local.get $n) (i32.const 2))
   (then (local.get $n))
   (else (i32.add (call $fib (i32.sub (local.get $n) (i32.const 1)))
                  (call $fib (i32.sub (local.get $n) (i32.const 2)))))))
 (func (export "run") (param $reps i32) (result i32) (local $s i32)
  (loop $R
   (local.set $s (i32.add (local.get $s) (call $fib (i32.const 24))))
   (br_if $R (local.tee $reps (i32.sub (local.get $reps) (i32.const 1)))))
  (local.get $s)))
