//! The queue at a cleaning station.

use super::*;

#[test]
fn clients_queue_and_each_has_its_turn() {
    /// Distances to the cleaner within which a client poses and queues. Unit: m.
    const POSES_M: f32 = 0.6 + 0.9 * 0.3;
    const QUEUES_M: f32 = 2.5;
    let wrasse = LifeSettings {
        name: "wrasse".into(),
        behaviour: Behaviour::Reef,
        count: 1,
        length_m: 0.09,
        range_m: 1.0,
        ..tangs(&[Routine::Clean])
    };
    let client = LifeSettings { count: 4, length_m: 0.3, length_spread: 0.0, ..tangs(&[Routine::VisitCleaner]) };
    let (mut served, mut crowd, mut queue, mut facing, mut waiting) = (0, 0, 0, 0, 0);
    for seed in 0..4 {
        let mut population = Population::new(&[wrasse.clone(), client.clone()], garden(1.0), seed, serial);
        population.animals[1..].iter_mut().for_each(|fish| fish.mind.drives.itch = 1.0);
        let mut posed = [0; 4];
        for _ in 0..120 * SECOND {
            population.step(Vec3::ZERO);
            let cleaner = population.animals[0].position;
            let (mut at_once, mut behind) = (0, 0);
            for (fish, posed) in population.animals[1..].iter().zip(&mut posed) {
                let to = cleaner - fish.position;
                if fish.mind.intention != Intention::Do(Routine::VisitCleaner) || to.length() > QUEUES_M {
                    continue;
                }
                if to.length() < POSES_M {
                    at_once += 1;
                    *posed += 1;
                } else if fish.speed < 0.1 {
                    behind += 1;
                    facing += u32::from(fish.heading.dot(to.normalize()) > 0.7);
                }
            }
            waiting += behind;
            crowd += u32::from(at_once > 1);
            queue += u32::from(at_once == 1 && behind >= 1);
        }
        served += posed.iter().filter(|steps| **steps > 4 * SECOND).count();
    }
    eprintln!(
        "{served} of 16 served, {} s of a crowd, {} s of a queue, {facing} of {waiting} face the cleaner",
        crowd / SECOND,
        queue / SECOND
    );
    assert!(served >= 14, "{served} of 16 have their turn");
    assert!(queue > 40 * SECOND, "a queue for {} s", queue / SECOND);
    assert!(crowd < queue / 4, "two at once for {} s, in a queue for {} s", crowd / SECOND, queue / SECOND);
    assert!(facing > waiting / 2, "{facing} of {waiting} face the cleaner");
}
