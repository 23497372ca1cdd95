import path from 'node:path'
import type { ComparedDrawing } from '../../contract/comparison.ts'
import type { Looks } from '../../evaluate/verdict/looks.ts'
import { command } from '../command.ts'
import { compareReport, type ReportedComparison } from '../compare-report.ts'
import { fetchFlow } from '../flow-answer.ts'
import { FailedJob } from '../failure.ts'
import { followJob } from '../follow-job.ts'
import { jsonBody } from '../http.ts'
import { flag, oneOf, repeated, text, wholeNumber } from '../options.ts'
import { paintFor } from '../paint.ts'
import { showProgress } from '../progress.ts'
import { readAnswer } from '../read-answer.ts'
import { readVariant } from '../read-variant.ts'
import { SERVER_OPTIONS, SERVER_SETTING_TEXTS, SERVER_SETTINGS, serverOf } from '../server-options.ts'
import { showSteps } from '../steps.ts'
import { listenForStop } from '../stop.ts'

/** How many questions of a variant are listed. */
const ROWS = 10

export const compareCommand = command({
  summary: 'Compares variants of a flow over its questions, in temporary indexes',
  args: ['<flow>'],
  about:
    'A variant is NAME:INPUT=VALUE,INPUT=VALUE, where an input is one of every node that has it, or NODE.INPUT; NAME:revision=7;\n' +
    'NAME:file=drawing.json; or a name alone for the flow as it is. Each is compared with the baseline, which is the flow as it is\n' +
    'unless --baseline is given. The server runs this as a job over the documents and the accepted questions of the flow; it goes on\n' +
    'when this command is interrupted (sluice job list), and sluice job cancel ends it. With --collection it runs here, over a folder\n' +
    'with corpus.jsonl, queries.jsonl and qrels.tsv, as sluice eval does. Users see no change. The verdicts are false in at most 5 %\n' +
    'of comparisons.',
  options: {
    ...SERVER_OPTIONS,
    variant: repeated('variant', 'a variant to compare with the baseline'),
    baseline: text('variant', 'what the variants are compared with; the flow as it is unless given'),
    looks: oneOf(
      ['1', '3'],
      'how often it looks at the questions: 3 may end at a third or two thirds of them',
    ),
    collection: text('folder', 'compares over this collection, in this process'),
    rows: wholeNumber(`how many questions of each variant are listed; ${ROWS} unless given`),
    json: flag('prints the result as JSON'),
  },
  settings: [...SERVER_SETTINGS, 'DATA_DIR', 'MAX_COMPARE_TOKENS', 'MAX_COMPARE_MB', 'MAX_COMPARE_MINUTES'],
  settingTexts: SERVER_SETTING_TEXTS,
  examples: [
    'handbook --variant small:chunkSize=600 --variant keywords:weight=0.2',
    'handbook --variant draft:file=new.json --baseline old:revision=7 --json',
    'quickstart --variant small:chunkSize=600 --collection my-questions/',
  ],
  async run({ world, config, args, options }) {
    const [flow] = args as [string]
    const { stdout, stderr, environment, directory } = world
    const typed = [options.baseline ?? 'live', ...options.variant]
    const variants: ComparedDrawing[] = []
    for (const one of typed) variants.push(await readVariant(one, directory))
    const looks: Looks = options.looks === '3' ? 3 : 1
    const paint = paintFor(stdout, environment)
    const print = (outcome: ReportedComparison) =>
      stdout.write(
        options.json ? `${JSON.stringify(outcome)}\n` : compareReport(outcome, paint, options.rows ?? ROWS),
      )

    if (options.collection !== undefined) {
      using stop = listenForStop(world.process)
      using steps = showSteps(world, paintFor(stderr, environment))
      try {
        const outcome = await world.compareFlow(config, {
          flow: options.url === undefined ? flow : await remoteFlow(flow),
          collection: path.resolve(directory, options.collection),
          ...{ variants, looks, signal: stop.signal },
          onProgress: (now) =>
            now.stage === 'ask'
              ? steps.show('Asking', now.done, now.total)
              : steps.show(`Loading ${now.index} of ${now.indexes}`, now.documents, now.total),
        })
        steps.end()
        print(outcome)
        return 0
      } catch (error) {
        if (stop.signal.aborted) return 130
        throw error
      }
    }

    const client = serverOf(options, config, world)
    const progress = showProgress(world, 0, paintFor(stderr, environment))
    try {
      progress.uploaded()
      const url = `compare/${encodeURIComponent(flow)}`
      const body = jsonBody({ variants: variants as never, looks })
      const { jobId } = await readAnswer(
        client.send('POST', url, body),
        async () => (await import('../../api/job-request.ts')).acceptedJob,
        'a job',
      )
      const { state, error } = await followJob(client, jobId, (job) => progress.working(job))
      progress.end()
      if (state !== 'done')
        throw new FailedJob(
          error?.message ?? `The comparison ended as ${state}`,
          `sluice job show ${jobId} shows more`,
          error ?? {},
        )
      const found = await readAnswer(
        client.send('GET', `${url}/${jobId}`),
        async () => (await import('../../api/compare.ts')).comparisonShape,
        'a comparison',
      )
      print(found.outcome as ReportedComparison)
      return 0
    } finally {
      progress.end()
    }

    async function remoteFlow(name: string) {
      const { id, flowData } = await fetchFlow(serverOf(options, config, world), name)
      return { id, flowData, apiConfig: undefined }
    }
  },
})
