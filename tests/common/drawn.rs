//! Reference curves that built-in campaigns draw beside their results.

use breccia::campaign::load;
use breccia::campaign::model::Shape;

/// Points of the curve `label` in a plot of a campaign.
pub fn curve_points(campaign: &str, plot: &str, label: &str) -> Vec<[f64; 2]> {
    let plots = load(campaign).expect(campaign).plots;
    let plot = plots.iter().find(|p| p.name == plot).unwrap_or_else(|| panic!("{campaign} has no plot {plot}"));
    let curve =
        plot.curves.iter().find(|c| c.label == label).unwrap_or_else(|| panic!("{campaign} has no curve {label}"));
    let Shape::Points(points) = &curve.shape else { panic!("{label} has no points") };
    points.clone()
}
