// Plays the solution above; noughts.checker.isolated describes the protocol.
mod noughts_driver {
    use super::*;
    use std::io::{BufRead, BufReader, Write};
    use std::{os::fd::FromRawFd, panic::{catch_unwind, AssertUnwindSafe}};

    trait Written { fn written(&self) -> String; }
    impl Written for bool { fn written(&self) -> String { self.to_string() } }
    impl Written for char { fn written(&self) -> String { format!("'{}'", self) } }
    impl Written for str { fn written(&self) -> String { format!("'{}'", self) } }
    impl Written for String { fn written(&self) -> String { self.as_str().written() } }
    impl<T: Written + ?Sized> Written for &T { fn written(&self) -> String { (**self).written() } }
    impl<T: Written> Written for Option<T> { fn written(&self) -> String { self.as_ref().map_or("None".to_string(), |one| one.written()) } }
    impl<T: Written, E> Written for Result<T, E> { fn written(&self) -> String { self.as_ref().map_or("!Err".to_string(), |one| one.written()) } }
    macro_rules! numbers { ($$($$kind:ty)*) => { $$(impl Written for $$kind { fn written(&self) -> String { self.to_string() } })* } }
    numbers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize); $enums

    type Object = $object;
    type Place = Result<Object, String>;
    extern "C" { fn clock_gettime(clock: i32, time: *mut [i64; 2]) -> i32; }

    fn create(n: i32) -> Object { let _ = n; $make }
    fn play(game: &mut Object, marks: &[i32], at: usize) -> String {
        let (n, row, col, player) = if $whole { (marks[0], 0, 0, 0) } else { (marks[0], marks[at], marks[at + 1], marks[at + 2]) };
        let _ = (n, row, col, player, &game);
        $act
        ($answer).written()
    }

    fn said(error: Box<dyn std::any::Any + Send>) -> String {
        let text = error.downcast_ref::<String>().cloned();
        text.or(error.downcast_ref::<&str>().map(|text| text.to_string())).unwrap_or_default().replace(['\n', '\t'], " ")
    }

    fn place(n: i32) -> Place { catch_unwind(|| create(n)).map_err(said) }
    fn attempt(place: &mut Place, marks: &[i32], at: usize) -> String {
        let game = place.as_mut().map_err(|error| error.clone());
        let answer = game.and_then(|game| catch_unwind(AssertUnwindSafe(|| play(game, marks, at))).map_err(said));
        answer.unwrap_or_else(|error| format!("!panic: {}", error))
    }

    fn now() -> i64 {
        let mut time = [0i64; 2];
        unsafe { clock_gettime(3, &mut time) }; // CLOCK_THREAD_CPUTIME_ID
        time[0] * 1_000_000_000 + time[1]
    }

    fn serve(verb: &str, game: &[i32], places: &mut Vec<Place>) -> String {
        match verb {
            "o" => { places[game[0] as usize] = place(game[1]); String::new() }
            "m" => attempt(&mut places[game[0] as usize], &game[1..], 1) + "\n",
            "p" => {
                let mut one = place(game[0]);
                let ends: Vec<usize> = if $whole { vec![1] } else { (1..game.len()).step_by(3).collect() };
                ends.iter().map(|&at| attempt(&mut one, game, at)).collect::<Vec<_>>().join("\t") + "\n"
            }
            _ => {
                let (before, start) = (noughts_bytes::live_bytes(), now());
                let (mut object, ready) = (create(game[0]), now());
                for at in (1..game.len()).step_by(3) { play(&mut object, game, at); }
                let end = now();
                if verb == "t" { format!("{} {}\n", (ready - start) as f64 * 1e-9, (end - ready) as f64 * 1e-9) }
                else { format!("{}\n", noughts_bytes::live_bytes() - before + std::mem::size_of::<Object>()) }
            }
        }
    }

    pub fn main() {
        std::panic::set_hook(Box::new(|_| {}));
        let (input, mut out) = unsafe { (std::fs::File::from_raw_fd(3), std::fs::File::from_raw_fd(4)) };
        let (mut places, mut texts): (Vec<Place>, String) = ((0..64).map(|_| Err(String::new())).collect(), String::new());
        out.write_all(b"[]\n").unwrap();
        for line in BufReader::new(input).lines().map(|line| line.unwrap()) {
            let game: Vec<i32> = line.split(' ').skip(1).map(|number| number.parse().unwrap()).collect();
            if line.is_empty() { out.write_all(texts.as_bytes()).unwrap(); texts.clear(); }
            else { texts += &serve(&line[..1], &game, &mut places); }
        }
    }
}
$walker fn main() { noughts_driver::main() }
