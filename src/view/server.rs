//! Serves the page of a run over HTTP.
//!
//! Every address begins with a secret word, so that other users of the machine and other pages in the browser cannot read the
//! run. Names of hosts that are not the machine's own are refused, which keeps out pages that point their own name at it.

use super::resource::{Answer, HTML, PAGE, Resource, WEB_PAGE};
use super::run::Run;
use crate::base::error::{Error, Result};
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, Method, Response, StatusCode, header};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;

/// Answers that are made at once, at most.
const AT_ONCE: usize = 4;

/// What scripts of the page may do: run from this address, and ask this address.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A page that is about to be served.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
    at: SocketAddr,
}

struct Shared {
    run: Run,
    word: String,
    /// hosts besides the machine's own may be named: it was asked for
    open: bool,
}

impl Server {
    /// Opens a run, and a port for it; port 0 takes a free one.
    pub fn open(directory: &Path, host: IpAddr, port: u16) -> Result<Server> {
        let run = Run::open(directory)?;
        let taken = |e: std::io::Error| {
            Error::Usage(format!("--host {host} --port {port}: {e}; leave out --port, and a free one is taken"))
        };
        let listener = TcpListener::bind((host, port)).map_err(taken)?;
        let at = listener.local_addr().map_err(taken)?;
        let word = format!("{:032x}", rand::random::<u128>());
        Ok(Server { listener, at, shared: Arc::new(Shared { run, word, open: !host.is_loopback() }) })
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.at, self.shared.word)
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.at.port()
    }

    /// Serves until the program is ended.
    pub fn serve(self) -> Result<()> {
        let fault = |e: std::io::Error| Error::Data(format!("the page cannot be served: {e}"));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(AT_ONCE)
            .enable_io()
            .build()
            .map_err(fault)?;
        self.listener.set_nonblocking(true).map_err(fault)?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener).map_err(fault)?;
            let app = Router::new().fallback(answer).with_state(self.shared);
            axum::serve(listener, app).await.map_err(fault)
        })
    }
}

async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response<Body> {
    let host = request.headers().get(header::HOST).and_then(|h| h.to_str().ok()).unwrap_or("");
    if !shared.open && !is_own(host) {
        return refusal(StatusCode::FORBIDDEN, "this page is served to its own machine alone");
    }
    if request.method() != Method::GET {
        return refusal(StatusCode::METHOD_NOT_ALLOWED, "this page can only be read");
    }
    let path = request.uri().path().to_owned();
    let Some(name) = path.strip_prefix('/').and_then(|p| p.strip_prefix(shared.word.as_str())?.strip_prefix('/'))
    else {
        return refusal(StatusCode::NOT_FOUND, "the address lacks the word that `breccia view` printed");
    };
    if let Some(file) = file(name) {
        return respond(StatusCode::OK, file);
    }
    let name = name.to_owned();
    let found = tokio::task::spawn_blocking(move || Resource::parse(&name).and_then(|r| r.of(&shared.run))).await;
    match found {
        Ok(Ok(found)) => respond(StatusCode::OK, found),
        Ok(Err(Error::Usage(what))) => refusal(StatusCode::NOT_FOUND, &what),
        Ok(Err(e)) => refusal(StatusCode::UNPROCESSABLE_ENTITY, &e.to_string()),
        Err(_) => refusal(StatusCode::INTERNAL_SERVER_ERROR, "the answer could not be made"),
    }
}

/// A file of the page itself.
fn file(name: &str) -> Option<Answer> {
    if name.is_empty() {
        return Some(Answer { kind: WEB_PAGE, bytes: HTML.into() });
    }
    let (_, kind, text) = PAGE.iter().find(|(file, ..)| *file == name)?;
    Some(Answer { kind, bytes: (*text).into() })
}

/// The host of a request is this machine, whatever the port: a tunnel has another one.
fn is_own(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    name == "localhost" || name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

fn refusal(status: StatusCode, what: &str) -> Response<Body> {
    let bytes = serde_json::json!({ "error": what }).to_string().into_bytes();
    respond(status, Answer { kind: super::resource::JSON, bytes })
}

fn respond(status: StatusCode, answer: Answer) -> Response<Body> {
    let mut response = Response::new(Body::from(answer.bytes));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, answer.kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::is_own;

    #[test]
    fn only_names_of_the_machine_itself_are_its_own() {
        for own in ["127.0.0.1:8080", "localhost", "localhost:1", "[::1]:80", "127.0.0.1"] {
            assert!(is_own(own), "{own}");
        }
        for other in
            ["", "example.org", "127.0.0.1.example.org:80", "localhost.example.org", "10.0.0.1:80", "[2001:db8::1]:80"]
        {
            assert!(!is_own(other), "{other}");
        }
    }
}
