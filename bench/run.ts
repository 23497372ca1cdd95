import { parseArgs } from 'node:util'

/**
 * `npm run bench [-- name…]`: one file per question; every file prints all of its axes, also those that got worse.
 */
const BENCHES: Record<string, string> = {
  events:
    'requests/s and p99 of the event service beside bare node:http and Express; look-up by id up to 1,000,000',
  embed: 'chunks/s of the built-in model beside its documented arithmetic written plainly',
  splitters: 'MB/s beside @langchain/textsplitters in the same run',
  cuts: 'cuts in sentences, headings at the end of chunks, chunks without a heading, beside the recursive splitter',
  formats:
    'words found, CPU time and failures of the readers beside mammoth, unpdf, SheetJS and others; pages/s of PDF',
  ocr: 'words found in scans by what the scanner does, beside their text; how sure the program is; the longest turn of the loop',
  pdf: 'words found and their order in PDFs, file by file, beside pdf.js alone and pdftotext',
  search:
    'inserts, p50, p99, recall, memory and disk beside LanceDB, sqlite-vec and FTS5, by BENCH_ROWS; over HTTP; cold start',
  scale:
    'BENCH_ROWS chunks loaded through the upsert: rate, memory, disk, queries, recall, queries while writing, starts, kills',
  'search-kernel': 'p50, p99 and recall of the vector scan: codes, signs first, by threads, with a filter',
  'vector-scale':
    'large images alone, by BENCH_VECTORS: p50, p99, recall, memory, and the file they are loaded from',
  postgres: 'inserts and searches over PostgreSQL beside a bare client and beside the embedded store',
  cold: 'the first question over PostgreSQL: on the member that wrote, on one without a copy, and with a saved one',
  'postgres-size': 'bytes a chunk over PostgreSQL: its tables, and the replica of a node, by dimensions',
  'postgres-partitions':
    'the ledger over PostgreSQL with BENCH_ROWS chunks in BENCH_NAMESPACES: inserts, publications, first pages, removals, sizes',
  'pgvector-size': 'bytes a chunk over PostgreSQL with pgvector: rows, graph, indexes, by dimensions',
  cluster:
    'jobs/s of one, two and three servers over one PostgreSQL; how long after a kill another goes on, beside pg-boss',
  pgvector: 'recall@10, p50 and p99 over PostgreSQL with pgvector, with filters, on real text',
  keyword: 'the text index alone: µs and bytes a passage, the longest merge, p50 and p99 of questions',
  eval: 'nDCG@10 of keyword, vector and hybrid search over the collections below SLUICE_CORPUS/retrieval',
  verdicts:
    'false verdicts of comparisons where nothing differs, by questions, variants and looks; differences of .02 and .05 that are found',
  conversations: 'nDCG@10 of follow-up questions: alone, joined to the earlier ones, and with history',
  confidence:
    'how far the confidence of hits can be trusted: calibration, AUROC, and the weights fitted again',
  rescoring:
    'what rescoring gains in nDCG@10, and its weights fitted again, with families of collections left out',
  openapi:
    'operations of real descriptions that become tools, calls that are valid; what reading and the sandbox take',
  studio:
    'the web application: script of each route, time until it can be used, frames while 300 nodes are dragged',
  platform: 'start to first answer, idle memory, install size',
  'dry-run':
    'what a draft would change of BENCH_CHUNKS stored chunks (100,000): seconds, CPU, memory above that before, fates',
  reads:
    'CPU µs of what the embedded database reads: lists, searches in texts, hits of a separate engine; beside another checkout',
  requests:
    'CPU of the server a request: without and with a key, small and large bodies; beside another checkout',
  upsert: 'chunks/s of the whole pipeline: first run, unchanged, cut again, one paragraph changed',
  stage:
    'the writing thread alone: CPU time a chunk while an index grows to BENCH_ROWS, bytes a chunk by table',
  sources: 'one upsert of up to 100,000 sources, and tables of up to 100,000 equal rows',
  memory:
    'bytes a namespace by its chunks; peak RSS of server and parsers while 10 MB, 1 GB and 1,000 small files are loaded over HTTP',
  soak: 'the memory of a server while 200 documents, or --namespaces flows, are changed, removed and searched for --minutes (two unless given), --postgres over PostgreSQL',
  streams: 'a thousand answers streamed at once: frames, memory; what a flow adds to the first token',
  engines:
    'Sluice over a real OpenSearch or Elasticsearch (--engine, --engine-url) beside a bare client: load, CPU, bytes, p50; --rows chunks',
  'engine-scale':
    'BENCH_ROWS points in one node of a real OpenSearch or Elasticsearch: rate, CPU, bytes, memory, recall, p50 and p99',
  'engine-recall':
    'recall@10, bytes and p50 of a real OpenSearch or Elasticsearch with full and int8 vectors, beside the exact scan, on real text',
  'engine-hidden':
    'hits and p50 of real engines beside --rows chunks near each question that were removed, replaced or staged (--engine opensearch,elasticsearch,pgvector,chroma)',
  neighbours:
    '500 clients of five keys: answers, shares of the keys, health on new connections, beside a bare Fastify server',
  stalls: 'the longest block of the event loop of a server while hostile inputs arrive, one by one',
  expected: 'what it takes beyond the query to say what became of a document or chunk, by BENCH_ROWS',
  latency: 'p50 and p99 of queries, idle and while 20 MB are loaded; how long the server answers no request',
}

const { values, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    namespaces: { type: 'string' },
    postgres: { type: 'boolean' },
    engine: { type: 'string' },
    'engine-url': { type: 'string' },
    rows: { type: 'string' },
    help: { type: 'boolean' },
  },
})
if (values.minutes !== undefined) process.env.BENCH_MINUTES = values.minutes
if (values.namespaces !== undefined) process.env.BENCH_NAMESPACES = values.namespaces
if (values.engine !== undefined) process.env.BENCH_ENGINE = values.engine
if (values['engine-url'] !== undefined) process.env.BENCH_ENGINE_URL = values['engine-url']
if (values.rows !== undefined) process.env.BENCH_ROWS = values.rows
if (values.postgres) process.env.BENCH_POSTGRES = 'true'
const unknown = asked.filter((name) => !(name in BENCHES))
if (unknown.length > 0 || values.help) {
  console.log(
    Object.entries(BENCHES)
      .map(([name, about]) => `${name.padEnd(14)} ${about}`)
      .join('\n'),
  )
  process.exit(unknown.length > 0 ? 2 : 0)
}
for (const name of asked.length > 0 ? asked : Object.keys(BENCHES)) {
  console.log(`\n== ${name}: ${BENCHES[name]}\n`)
  const { run } = (await import(`./${name}.ts`)) as { run(): Promise<void> }
  await run()
}
