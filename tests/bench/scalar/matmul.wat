(module
 (memory 4)
 (func (export "run") (param $reps i32) (result i32)
  (local $i i32) (local $j i32) (local $k i32) (local $pa i32) (local $pb i32) (local $acc f32)
  (loop $I
    (f32.store (i32.shl (local.get $i) (i32.const 2)) (f32.convert_i32_s (i32.rem_s (local.get $i) (i32.const 7))))
    (f32.store offset=65536 (i32.shl (local.get $i) (i32.const 2)) (f32.convert_i32_s (i32.rem_s (local.get $i) (i32.const 5))))
    (br_if $I (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 16384))))
  (loop $R
    (local.set $i (i32.const 0))
    (loop $LI
      (local.set $j (i32.const 0))
      (loop $LJ
        (local.set $acc (f32.const 0))
        (local.set $k (i32.const 0))
        (local.set $pa (i32.shl (local.get $i) (i32.const 9)))
        (local.set $pb (i32.shl (local.get $j) (i32.const 2)))
        (loop $LK
          (local.set $acc (f32.add (local.get $acc)
             (f32.mul (f32.load (local.get $pa)) (f32.load offset=65536 (local.get $pb)))))
          (local.set $pa (i32.add (local.get $pa) (i32.const 4)))
          (local.set $pb (i32.add (local.get $pb) (i32.const 512)))
          (br_if $LK (i32.lt_s (local.tee $k (i32.add (local.get $k) (i32.const 1))) (i32.const 128))))
        (f32.store offset=131072 (i32.add (i32.shl (local.get $i) (i32.const 9)) (i32.shl (local.get $j) (i32.const 2))) (local.get $acc))
        (br_if $LJ (i32.lt_s (local.tee $j (i32.add (local.get $j) (i32.const 1))) (i32.const 128))))
      (br_if $LI (i32.lt_s (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 128))))
    (br_if $R (local.tee $reps (i32.sub (local.get $reps) (i32.const 1)))))
  (i32.trunc_f32_s (f32.load offset=131072 (i32.const 40000)))))
