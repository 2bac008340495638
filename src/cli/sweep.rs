//! `breccia sweep`: many runs of one scenario, and what they show in one table.

use super::expect::Expect;
use super::limit::{Limit, wall_time};
use super::signals::stop_flag;
use super::sweep_show::{Show, print_built_in, print_case, print_cases, print_prospects, print_summary};
use super::sweep_slurm::Asked;
use breccia::base::error::{Error, Result};
use breccia::base::exit_code;
use breccia::base::fault::Fault;
use breccia::base::json;
use breccia::base::shell;
use breccia::campaign::check::{fingerprints, prospects, recipes, refuse_idle};
use breccia::campaign::directory::{CampaignDirectory, belongs, own_runs, recorded_inputs};
use breccia::campaign::drawn::remove_outdated;
use breccia::campaign::figure::Figure;
use breccia::campaign::identity::Identity;
use breccia::campaign::judge::{Outcome, judge_all};
use breccia::campaign::kept::{Kept, check_placed, is_settled};
use breccia::campaign::model::{Campaign, Case};
use breccia::campaign::paths::TABLE;
use breccia::campaign::paths::refuse_own;
use breccia::campaign::paths::run_of;
use breccia::campaign::runner::{Event, Runner, goes_on};
use breccia::campaign::status::{Status, look, unmeasured};
use breccia::campaign::table::Table;
use breccia::campaign::{load, sheet, time_plot, timing};
use breccia::gpu::choice::Wish;
use breccia::record::files::directory::CAMPAIGN;
use breccia::record::files::lock::Hold;
use breccia::scenario::inputs::Sums;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Run a campaign: many runs of one scenario, skipping what is done and resuming what was cut off
#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("instead")), args_override_self = true)]
pub(super) struct Args {
    /// Campaign: a file, or the name of a built-in one [default: list the built-in ones]
    campaign: Option<String>,
    /// Directory of the campaign (default: runs/NAME)
    #[arg(long)]
    out: Option<PathBuf>,
    /// Cases at once [default: 1, or one for each --gpu]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024), conflicts_with = "slurm")]
    jobs: Option<u16>,
    /// Adapter: index, PCI address, GPU-... of nvidia-smi, or part of its name (see `breccia gpus`); given several times, cases
    /// are dealt to them
    #[arg(long)]
    gpu: Vec<String>,
    /// Compute on a software adapter, which is refused otherwise where a GPU has a driver
    #[arg(long)]
    software: bool,
    /// Stop all cases, with a checkpoint each, after this much wall time (exit code 75): "90 min", 1.5h, 01:30:00, or seconds
    #[arg(long, value_name = "DURATION", value_parser = wall_time)]
    max_walltime: Option<Duration>,
    /// Run failed cases again, with --case that one
    #[arg(long)]
    retry: bool,
    /// What becomes of expectations of the campaign
    #[arg(long, value_enum, default_value_t = Expect::Warn, conflicts_with_all = ["case", "show", "dry_run", "slurm"])]
    expect: Expect,
    /// Stop all cases, with a checkpoint each, when one fails
    #[arg(long, conflicts_with = "slurm")]
    stop_at_failure: bool,
    /// Keep the rows of finished cases in this table, case by case, and do not run cases whose rows it has
    #[arg(long, value_name = "FILE", conflicts_with_all = ["case", "show", "list", "dry_run", "slurm"])]
    keep: Option<PathBuf>,
    /// Run one case alone, as in --case $SLURM_ARRAY_TASK_ID; the table is left as it is
    #[arg(long, value_name = "NUMBER", group = "instead")]
    case: Option<usize>,
    /// Run nothing; print the campaign's file, to start from
    #[arg(long, group = "instead")]
    show: bool,
    /// Run nothing; list the cases and how far they have come
    #[arg(long, group = "instead")]
    list: bool,
    /// Run nothing; check all cases and estimate their steps, memory and disk
    #[arg(long, group = "instead")]
    dry_run: bool,
    /// Run nothing; measure what is done and make the table, the plots and the pictures again
    #[arg(long, group = "instead")]
    table: bool,
    /// Run nothing; write a script for an array of Slurm jobs, a case each
    #[arg(long, value_name = "FILE", group = "instead")]
    slurm: Option<PathBuf>,
    #[command(flatten)]
    asked: Asked,
    /// Progress and result as JSON
    #[arg(long)]
    json: bool,
}

/// `breccia sweep`: 0, 1 if cases failed or could not be measured, or with `--expect fail` an expectation was missed, 75 if it was stopped; with `--case` the code of its run.
pub(super) fn run(args: Args) -> Result<u8> {
    let Some(name) = &args.campaign else {
        return print_built_in(args.json);
    };
    let campaign = load(name)?;
    if args.show {
        match args.json {
            true => println!("{}", serde_json::json!({ "file": campaign.file, "text": campaign.text })),
            false => print!("{}", campaign.text),
        }
        return Ok(0);
    }
    if campaign.engine == "reference" && (args.software || !args.gpu.is_empty()) {
        let option = if args.software { "--software" } else { "--gpu" };
        return Err(Error::Usage(format!("{option}: the reference engine of this campaign uses no GPU; leave it out")));
    }
    stop_flag()?;
    let limit = Limit::start(args.max_walltime, "the same command goes on");
    let sweep = Sweep::new(args, campaign, limit)?;
    match &sweep.args {
        Args { list: true, .. } => sweep.list(),
        Args { dry_run: true, .. } => sweep.dry_run(),
        Args { slurm: Some(file), .. } => sweep.slurm(file),
        Args { table: true, .. } => sweep.table(),
        Args { case: Some(number), .. } => sweep.one(*number),
        _ => sweep.all(),
    }
}

/// A campaign whose scenarios are read.
struct Sweep {
    args: Args,
    campaign: Campaign,
    hashes: Vec<String>,
    sums: Sums,
    kept: Option<Kept>,
    out: PathBuf,
    limit: Mutex<Option<Limit>>,
}

impl Sweep {
    fn new(args: Args, campaign: Campaign, limit: Option<Limit>) -> Result<Sweep> {
        let out = args.out.clone().unwrap_or_else(|| Path::new("runs").join(&campaign.name));
        let mut sums = Sums::with(recorded_inputs(&out));
        let hashes = fingerprints(&campaign, &mut sums)?;
        let mut recipes = || recipes(&campaign, &mut sums);
        let kept = match &args.keep {
            Some(file) => {
                refuse_own(file, &out)?;
                Some(Kept::read(file, &campaign, recipes()?)?)
            }
            None => check_placed(&campaign, &out, recipes).map(|()| None)?,
        };
        Ok(Sweep { args, campaign, hashes, sums, kept, out, limit: Mutex::new(limit) })
    }

    fn open(&self, hold: Hold) -> Result<CampaignDirectory> {
        CampaignDirectory::open(&self.out, &self.campaign, &self.identity(), hold, self.args.retry)
    }

    /// How the campaign was named.
    fn typed(&self) -> &str {
        self.args.campaign.as_deref().unwrap_or(&self.campaign.file)
    }

    fn identity(&self) -> Identity {
        Identity::of(&self.campaign, &self.hashes, &self.sums)
    }

    /// Refuses a directory of another campaign, or in which one of these cases is the run of another scenario.
    fn belongs(&self, cases: &[Case]) -> Result<()> {
        if self.out.join(CAMPAIGN).exists() {
            belongs(&self.out, &self.identity(), self.args.retry)?;
        }
        own_runs(&self.out, cases, &self.hashes)
    }

    fn list(&self) -> Result<u8> {
        self.belongs(&self.campaign.cases)?;
        print_cases(&self.campaign, &self.out, self.args.json)
    }

    fn dry_run(&self) -> Result<u8> {
        refuse_idle(&self.campaign, &self.hashes)?;
        let cases: Vec<&Case> = self.campaign.cases.iter().collect();
        print_prospects(&self.campaign, &prospects(&self.campaign, &cases)?, self.args.json)
    }

    fn slurm(&self, file: &Path) -> Result<u8> {
        let args = &self.args;
        let gpus = args.gpu.iter().flat_map(|g| ["--gpu".to_owned(), g.clone()]);
        let flags = [("--software", args.software), ("--retry", args.retry)];
        let flags = flags.into_iter().filter(|f| f.1).map(|f| f.0.to_owned());
        let time = args.max_walltime.iter().flat_map(|t| ["--max-walltime".to_owned(), t.as_secs_f64().to_string()]);
        let options: Vec<String> = gpus.chain(flags).chain(time).collect();
        args.asked.write(file, (&self.campaign, self.typed()), &self.out, &options)?;
        let path = file.display();
        if args.json {
            println!("{}", serde_json::json!({ "file": json::text(file) }));
            return Ok(0);
        }
        println!("{path}");
        if self.campaign.engine == "gpu" && !args.asked.has_gpus() {
            eprintln!("it asks Slurm for no GPU; where the cluster counts GPUs, write it with --slurm-gpus 1");
        }
        eprintln!("submit it: sbatch {}", shell::path(file));
        Ok(0)
    }

    fn table(&self) -> Result<u8> {
        if !self.out.join(CAMPAIGN).exists() {
            return Err(Fault::new("is not the directory of a campaign")
                .remedy("run `breccia sweep` without --table first, or give its --out")
                .path(&self.out)
                .into());
        }
        self.belongs(&self.campaign.cases)?;
        let directory = self.open(Hold::Alone)?;
        self.kept.as_ref().map_or(Ok(()), |kept| kept.place(&self.campaign, &self.out))?;
        let done = |c: &&Case| look(&run_of(&self.out, c)).status == Status::Done;
        self.settle(self.campaign.cases.iter().filter(done).collect())?;
        self.finish(directory.path())
    }

    fn all(&self) -> Result<u8> {
        self.belongs(&self.campaign.cases)?;
        let cases: Vec<&Case> = self.campaign.cases.iter().collect();
        let is_settled = |c: &Case| is_settled(&self.out, c) || self.kept.as_ref().is_some_and(|kept| kept.has(c));
        self.check(cases.iter().copied().filter(|c| !is_settled(c)))?;
        let directory = self.open(Hold::Alone)?;
        self.kept.as_ref().map_or(Ok(()), |kept| kept.place(&self.campaign, &self.out))?;
        self.settle(cases)?;
        self.finish(directory.path())
    }

    fn one(&self, number: usize) -> Result<u8> {
        let Some(case) = self.campaign.cases.get(number) else {
            let last = self.campaign.cases.len() - 1;
            return Err(Error::Usage(format!("--case {number}: {} has 0 to {last}", self.campaign.file)));
        };
        self.belongs(std::slice::from_ref(case))?;
        self.check(std::iter::once(case))?;
        let _directory = self.open(Hold::Shared)?;
        self.settle(vec![case])?;
        let found = look(&run_of(&self.out, case));
        let unmeasured = unmeasured(&self.campaign, &self.out, case);
        let resumes = || goes_on(&run_of(&self.out, case), &self.hashes[case.index]);
        print_case((self.typed(), &self.out), case, (&found, &resumes), unmeasured.as_deref(), self.args.json);
        Ok(match (found.status, found.failure) {
            (Status::Done | Status::Kept, _) if unmeasured.is_none() => exit_code::DONE,
            (Status::Done, _) if stop_flag()?.load(Ordering::SeqCst) => exit_code::STOPPED,
            (Status::Done | Status::Kept, _) => exit_code::MISSED,
            (Status::Failed, failure) => {
                failure.and_then(|f| f.exit_code).and_then(|c| c.try_into().ok()).unwrap_or(exit_code::MISSED)
            }
            _ => exit_code::STOPPED,
        })
    }

    /// Refuses cases that would be refused at their start; those that go on have been looked at, and need no originals.
    fn check<'a>(&self, cases: impl Iterator<Item = &'a Case>) -> Result<()> {
        refuse_idle(&self.campaign, &self.hashes)?;
        let begins = |c: &&Case| !goes_on(&run_of(&self.out, c), &self.hashes[c.index]);
        prospects(&self.campaign, &cases.filter(begins).collect::<Vec<_>>()).map(drop)
    }

    /// Does what is left of these cases.
    fn settle(&self, cases: Vec<&Case>) -> Result<()> {
        let args = &self.args;
        let (show, keeping) = (Show::new(args.json), Mutex::new(()));
        let runner = Runner {
            program: std::env::current_exe().map_err(|e| Error::io("breccia", e))?,
            campaign: &self.campaign,
            directory: &self.out,
            hashes: &self.hashes,
            jobs: args.jobs.map_or(args.gpu.len().max(1), usize::from),
            gpus: args.gpu.clone(),
            software: args.software,
            retry: args.retry,
            stop_at_failure: args.stop_at_failure,
            stop: stop_flag()?,
            report: &|event| {
                show.event(event, &self.limit);
                // What cannot be written now is an error at the end.
                if self.kept.is_some() && matches!(event, Event::Ended { status: Status::Done, .. }) {
                    let _one_at_a_time = keeping.lock();
                    self.keep(&self.out).err().iter().for_each(|e| tracing::warn!("{e}"));
                }
            },
        };
        let left: Vec<&Case> = cases.into_iter().filter(|c| runner.is_left(c)).collect();
        show.start(left.len(), runner.jobs);
        runner.run(&left)
    }

    /// The table, which the kept one then has the finished rows of.
    fn keep(&self, directory: &Path) -> Result<Table> {
        let table = Table::read(&self.campaign, directory)?;
        self.kept.as_ref().map_or(Ok(()), |kept| kept.write(&self.campaign, &table, directory))?;
        Ok(table)
    }

    /// Table, plots, pictures and the last words.
    fn finish(&self, directory: &Path) -> Result<u8> {
        let table = self.keep(directory)?;
        if let Some([first, other]) = table.alike() {
            tracing::warn!(
                "the cases {first} and {other} show the same in every column: their seeds draw nothing, and means count one run twice"
            );
        }
        let file = table.write(directory, TABLE)?;
        let (table, times) = timing::add(&self.campaign, table, directory)?;
        let (judged, judgement) = judge_all(&self.campaign.expect, &table, directory)?;
        let plots = Figure::draw_all(&self.campaign.plots, &table, directory)?;
        let is_drawn = |name: &str| plots.iter().any(|file| file.file_stem().is_some_and(|stem| stem == name));
        let all_drawn = self.campaign.plots.iter().all(|plot| is_drawn(&plot.name));
        let time_plots = time_plot::draw_all(&self.campaign, &table, directory)?;
        let stopped = stop_flag()?.load(Ordering::SeqCst);
        let (gpu, software) = (self.args.gpu.first().cloned(), self.args.software);
        let wish = Wish { gpu, software, require_gpu: false };
        let pictures = if stopped { vec![] } else { sheet::draw_all(&self.campaign, directory, &wish) };
        let all_drawn = all_drawn && !time_plots.lacks_columns;
        let plots = std::iter::once(file).chain(judgement).chain(times).chain(plots).chain(time_plots.files);
        let files: Vec<PathBuf> = plots.chain(pictures.iter().flat_map(|p| p.files.clone())).collect();
        // Pictures that a signal or a missing device left undrawn are those of the same cases.
        let kept = self.campaign.pictures.iter().map(|p| p.name.as_str());
        let undrawn = |name: &&str| stopped || pictures.iter().any(|p| p.name == **name && p.error.is_some());
        remove_outdated(directory, &files, &kept.filter(undrawn).collect::<Vec<_>>())?;
        let shown = if self.args.expect == Expect::Off { &[] } else { &judged[..] };
        let counts = print_summary(&self.campaign, directory, &files, &pictures, shown, self.args.json)?;
        let missed = self.args.expect == Expect::Fail && judged.iter().any(|j| j.outcome == Outcome::Missed);
        Ok(match counts {
            c if stopped && c.left + c.unmeasured > 0 => exit_code::STOPPED,
            c if c.failed + c.unmeasured > 0 || missed || pictures.iter().any(|p| p.error.is_some()) => {
                exit_code::MISSED
            }
            c if c.left == 0 && !all_drawn => exit_code::MISSED,
            // a case may have been stopped by itself, or be left to another process
            c if c.left > 0 && !self.args.table => exit_code::STOPPED,
            _ => exit_code::DONE,
        })
    }
}
