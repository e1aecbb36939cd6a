//! Prints the measures of pictures, or of a rectangle of them: `measure FILE.png... [left,top,right,bottom]`.

use std::env;
use std::process::ExitCode;

use look::{Band, Luma, Rect, anisotropy, black_point, cropped, mean_color, quantile, slope};

#[expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program reads its arguments and files, and prints"
)]
fn main() -> ExitCode {
    let (mut files, mut rect) = (Vec::new(), None);
    for argument in env::args().skip(1) {
        let numbers: Vec<u32> = argument.split(',').filter_map(|number| number.parse().ok()).collect();
        match Rect::try_from(numbers) {
            Ok(found) => rect = Some(found),
            Err(_) => files.push(argument),
        }
    }
    let mut code = ExitCode::SUCCESS;
    for file in files {
        match image::open(&file) {
            Ok(picture) => {
                let picture = picture.to_rgb8();
                let picture = rect.map_or_else(|| picture.clone(), |rect| cropped(&picture, rect));
                let luma = Luma::of(&picture);
                let tone = |share| quantile(luma.values.iter().copied(), share);
                println!(
                    "{file}: slope {:.2}, fine {:.2}; luma mean {:.3}, p1 {:.3}, p50 {:.3}, p99 {:.3}; black point {:.0}; flat \
                     {:.2}; anisotropy {:.2}; mean colour {:.0?}",
                    slope(&luma, Band::WHOLE),
                    slope(&luma, Band::FINE),
                    luma.mean(),
                    tone(0.01),
                    tone(0.5),
                    tone(0.99),
                    black_point(&picture),
                    luma.flat_share(),
                    anisotropy(&luma),
                    mean_color(&picture),
                );
            }
            Err(error) => {
                eprintln!("{file}: {error}");
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}
