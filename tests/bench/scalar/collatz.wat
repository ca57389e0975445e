(module
 (func (export "run") (param $reps i32) (result i32)
  (local $i i32) (local $n i32) (local $steps i32)
  (loop $R
    (local.set $i (i32.const 2))
    (loop $L
      (local.set $n (local.get $i))
      (loop $M
        (if (i32.and (local.get $n) (i32.const 1))
         (then (local.set $n (i32.add (i32.mul (local.get $n) (i32.const 3)) (i32.const 1))))
         (else (local.set $n (i32.shr_u (local.get $n) (i32.const 1)))))
        (local.set $steps (i32.add (local.get $steps) (i32.const 1)))
        (br_if $M (i32.ne (local.get $n) (i32.const 1))))
      (br_if $L (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 10000))))
    (br_if $R (local.tee $reps (i32.sub (local.get $reps) (i32.const 1)))))
  (local.get $steps)))
