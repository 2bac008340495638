// A small sweep by Nextflow, one task for a case:  nextflow run main.nf
// `breccia sweep` does this alone (docs/user/campaigns.md). A workflow pays where other programs join in.

params.runs = "${launchDir}/runs"
params.frictions = [0.1, 0.8]
params.seeds = [1, 2]

// A run that was stopped (exit code 75) is tried again and goes on from its checkpoint: its directory is in params.runs,
// since each try of a task has a folder of its own.
process breccia_case {
    tag "friction ${friction}, seed ${seed}"
    errorStrategy { task.exitStatus == 75 ? 'retry' : 'finish' }
    maxRetries 3

    input:
    tuple val(friction), val(seed)

    output:
    tuple val(friction), val(seed), path('quantities.json')

    script:
    """
    run="${params.runs}/friction_${friction}_seed_${seed}" code=0
    if [ -e "\$run/manifest.json" ]; then
        breccia resume "\$run" || code=\$?
    else
        breccia run accretion_small --out "\$run" --set seed=${seed} \\
            --set material.rock.friction_sliding=${friction} \\
            --set bodies.0.count=27 --set "run.duration_s=20 min" || code=\$?
    fi
    # 1 says that expectations were missed, which are those of the scenario without --set.
    [ \$code -le 1 ] || exit \$code
    cp "\$run/quantities.json" .
    """
}

workflow {
    cases = channel.fromList(params.frictions).combine(channel.fromList(params.seeds))
    breccia_case(cases)
        .map { friction, seed, file ->
            def found = new groovy.json.JsonSlurper().parse(file).quantities
            "${friction},${seed},${found.packing_final},${found.coordination_final}\n"
        }
        .collectFile(name: 'table.csv', storeDir: launchDir, seed: "friction,seed,packing_final,coordination_final\n", sort: true)
        .view { table -> "table: ${table}" }
}
