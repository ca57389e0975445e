(module
 (memory 17)
 (func (export "run") (param $reps i32) (result i32)
  (local $i i32) (local $j i32) (local $cnt i32) (local $t i32)
  (loop $R
    (local.set $t (i32.add (i32.rem_u (local.get $reps) (i32.const 255)) (i32.const 1)))
    (local.set $i (i32.const 2))
    (loop $L
      (if (i32.ne (i32.load8_u (local.get $i)) (local.get $t))
       (then
        (local.set $j (i32.mul (local.get $i) (local.get $i)))
        (loop $M
          (i32.store8 (local.get $j) (local.get $t))
          (br_if $M (i32.lt_s (local.tee $j (i32.add (local.get $j) (local.get $i))) (i32.const 1000000))))))
      (br_if $L (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 1000))))
    (local.set $i (i32.const 2))
    (loop $C
      (local.set $cnt (i32.add (local.get $cnt) (i32.ne (i32.load8_u (local.get $i)) (local.get $t))))
      (br_if $C (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 1000000))))
    (br_if $R (local.tee $reps (i32.sub (local.get $reps) (i32.const 1)))))
  (local.get $cnt)))
