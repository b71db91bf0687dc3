//! The end, while many ask.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use imagestream_import_mode_serve::Config;

use crate::ALONE;
use crate::double::client::{config, reviews, serve, stream};
use crate::double::{ApiServer, Kind};

const READERS: usize = 200;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_in_progress_finish_and_later_ones_are_refused() {
    let _alone = ALONE.lock().await;
    let api = ApiServer::start().await;
    api.state
        .put(Kind::ImageStream, stream("team", "app", &["a"]));
    let (service, reader) = serve(
        &api,
        Config {
            shutdown_delay: Duration::from_millis(300),
            ..config()
        },
    )
    .await;
    reader.until_synced().await;
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..READERS {
        let reader = reader.clone();
        tasks.spawn(async move {
            let mut answers = 0;
            // An answer is whole or there is none: `try_get` reads all of its body.
            while let Some(answer) = reader
                .try_get(&crate::double::client::path("team", "app"))
                .await
            {
                assert_eq!(answer.code, 200, "{answer:?}");
                assert!(answer.is_missing("a"));
                answers += 1;
            }
            answers
        });
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    let started = Instant::now();
    let stop = tokio::spawn(service.stop());
    tokio::time::sleep(Duration::from_millis(100)).await;
    let ready = reader.get("/readyz").await;
    assert_eq!((ready.code, ready.text.as_str()), (503, "shutting down\n"));
    assert!(stop.await.unwrap(), "everything finishes in time");
    assert!(
        started.elapsed() < Duration::from_secs(5),
        "{:?}",
        started.elapsed()
    );
    let answers = tasks.join_all().await;
    assert_eq!(answers.len(), READERS);
    assert!(answers.iter().all(|&answers| answers > 0), "{answers:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_does_not_finish_is_cut_when_the_time_is_up() {
    let _alone = ALONE.lock().await;
    let api = ApiServer::start().await;
    api.state.put(Kind::ImageStream, stream("team", "app", &[]));
    api.state.issue("good", "puller");
    api.state.allow("puller", "team", "*");
    let (service, reader) = serve(
        &api,
        Config {
            authorization: reviews(Duration::from_secs(10)),
            drain: Duration::from_millis(500),
            ..config()
        },
    )
    .await;
    reader.until_synced().await;
    api.state
        .switches
        .review_delay
        .store(4_000, Ordering::Relaxed);
    let slow = reader.with("good");
    let slow = tokio::spawn(async move {
        slow.try_get(&crate::double::client::path("team", "app"))
            .await
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    let started = Instant::now();
    assert!(!service.stop().await, "the slow request cannot finish");
    let time = started.elapsed();
    assert!((500..2_000).contains(&time.as_millis()), "{time:?}");
    assert!(slow.await.unwrap().is_none());
}
