//! What became of a collision in one row: what is left of the bodies, as parameter studies compare it. One list declares the
//! quantities: it makes the members of [`Outcome`], their values, and the columns of `outcome.csv`.

use super::cluster_report::{ClusterRow, Clusters};
use serde::Serialize;

/// A frame and the clusters in it, heaviest first.
struct Found<'a> {
    frame: usize,
    time_s: f64,
    bodies: usize,
    clusters: &'a Clusters,
    largest: Option<&'a ClusterRow>,
    second: Option<&'a ClusterRow>,
}

/// A value as a cell of a table; a missing one is NaN.
trait Cell {
    fn cell(&self) -> f64;
}

impl Cell for usize {
    fn cell(&self) -> f64 {
        *self as f64
    }
}

impl Cell for f64 {
    fn cell(&self) -> f64 {
        *self
    }
}

impl<T: Cell> Cell for Option<T> {
    fn cell(&self) -> f64 {
        self.as_ref().map_or(f64::NAN, Cell::cell)
    }
}

macro_rules! quantities {
    ($($(#[$doc:meta])+ $name:ident: $kind:ty = $of:expr;)+) => {
        /// One frame in one row; quantities of clusters that are not there are none.
        #[derive(Debug, Clone, Serialize)]
        pub struct Outcome {
            $($(#[$doc])+ pub $name: $kind,)+
        }

        impl Outcome {
            fn found(found: &Found) -> Outcome {
                Outcome { $($name: { let of: fn(&Found) -> $kind = $of; of(found) },)+ }
            }

            /// Names and values in one order, as a row of a table; missing values are NaN.
            pub fn columns(&self) -> Vec<(&'static str, f64)> {
                vec![$((stringify!($name), self.$name.cell()),)+]
            }
        }
    };
}

quantities! {
    /// number of the frame
    frame: usize = |f| f.frame;
    /// simulated (s)
    time_s: f64 = |f| f.time_s;
    /// of the frame
    bodies: usize = |f| f.bodies;
    /// least number of bodies of a cluster
    minimum_bodies: usize = |f| f.clusters.minimum_bodies;
    /// number of clusters
    clusters: usize = |f| f.clusters.count;
    /// of the heaviest cluster
    largest_bodies: Option<usize> = |f| f.largest.map(|c| c.aggregate.bodies);
    /// of the heaviest cluster (kg)
    largest_mass_kg: Option<f64> = |f| f.largest.map(|c| c.aggregate.mass_kg);
    /// mass of the heaviest cluster over that of all bodies
    largest_mass_share: Option<f64> = |f| f.largest.map(|c| c.aggregate.mass_share);
    /// mass of the second heaviest cluster over that of all bodies
    second_mass_share: Option<f64> = |f| f.second.map(|c| c.aggregate.mass_share);
    /// mass of the bodies in no cluster over that of all bodies
    free_mass_share: f64 = |f| f.clusters.free_mass_share;
    /// mean mass of a body of the heaviest cluster over that of all bodies
    largest_mean_body_mass_ratio: Option<f64> = |f| f.largest.map(|c| c.mean_body_mass_ratio);
    /// size of the angular momentum of the heaviest cluster (kg m2/s)
    largest_angular_momentum_kg_m2_s: Option<f64> =
        |f| f.largest.map(|c| c.rotation.angular_momentum_kg_m2_s.length());
    /// size of the angular velocity of the rigid rotation of the heaviest cluster (rad/s)
    largest_spin_rad_s: Option<f64> = |f| f.largest.map(|c| c.rotation.angular_velocity_rad_s.length());
    /// period of that rotation (h); none at rest
    largest_period_h: Option<f64> = |f| f.largest.and_then(|c| c.rotation.period_h);
    /// energy of that rotation over the kinetic energy about the mass centre: far below 1 the cluster does not turn as one body,
    /// and spin and period mean nothing; none at rest
    largest_rigid_share: Option<f64> = |f| f.largest.and_then(|c| c.rotation.rigid_share);
    /// longest semi-axis of the homogeneous ellipsoid with its moments (m)
    largest_semi_axis_a_m: Option<f64> = |f| f.largest.map(|c| c.rotation.semi_axes_m[0]);
    /// middle one (m)
    largest_semi_axis_b_m: Option<f64> = |f| f.largest.map(|c| c.rotation.semi_axes_m[1]);
    /// shortest one (m)
    largest_semi_axis_c_m: Option<f64> = |f| f.largest.map(|c| c.rotation.semi_axes_m[2]);
    /// pairs of clusters that are bound to each other
    bound_pairs: usize = |f| f.clusters.bound_pairs.len();
}

impl Outcome {
    /// Summarises the clusters of a frame.
    pub fn of(frame: usize, time_s: f64, bodies: usize, clusters: &Clusters) -> Outcome {
        let (largest, second) = (clusters.list.first(), clusters.list.get(1));
        Outcome::found(&Found { frame, time_s, bodies, clusters, largest, second })
    }
}
