/**
 * All errors of the product: the code, the HTTP status and the sentence. The pages of `/docs` list them.
 *
 * `{name}` in a sentence is replaced by the fact with this name, see {@link SluiceError}; `{name?}` is nothing without that fact.
 * Facts are names, counts and types: never document text, never a secret.
 */
export const ERRORS = {
  // the request
  request_malformed: [400, 'This is not a valid HTTP request'],
  host_invalid: [400, 'The Host header of the request is not valid: {reason}'],
  host_refused: [403, 'The Host header names {host}, which is not a name of this server'],
  expectation_failed: [417, 'This server does not support the value of the Expect header'],
  path_invalid: [400, 'The path of the request is not valid'],
  request_timeout: [408, 'The request did not arrive in time'],
  headers_too_large: [431, 'The headers of the request are too large'],
  body_invalid: [400, 'The request body is not valid: {reason}'],
  query_invalid: [400, 'The query parameters are not valid: {reason}'],
  form_expected: [
    400,
    'This flow takes uploads: send multipart/form-data with at least one part named "files"',
  ],
  json_expected: [400, 'This flow finds its documents by itself: send application/json, without files'],
  file_duplicate: [400, 'The file name {file} occurs twice in one request'],
  file_name_invalid: [400, 'The file name {file} is not valid: {reason}'],
  idempotency_key_invalid: [400, 'The Idempotency-Key must have 1 to 255 characters'],
  field_unexpected: [400, 'Files must be in parts named "files"; the name of this part is {part}'],
  filter_invalid: [400, 'The filter is not valid: {reason}'],
  override_invalid: [400, 'The value given for {key} is not valid: {reason}'],
  override_not_enabled: [
    400,
    'This flow does not take uploads through the API: "files" is not enabled in its configuration',
  ],
  setting_unknown: [400, 'The flow {flow} has no setting {key}'],
  setting_ambiguous: [400, 'Several nodes of the flow {flow} have {key}: name one of them, as in {known}'],
  setting_invalid: [400, 'The value given for {key} is not valid: {reason}'],
  pins_invalid: [400, 'The pins of the API key are not valid: {reason}'],
  quotas_invalid: [400, 'The quotas of the API key are not valid: {reason}'],
  scope_unknown: [400, 'There is no scope {scope}; the scopes are upsert, query, predict and manage'],
  flow_invalid: [400, 'The flow is not valid: {reason}'],
  flow_text_invalid: [400, 'The text of the flow is not valid: {reason}'],
  question_missing: [400, 'There is no question: send a text as "question", or fill in the form of the flow'],
  source_or_filter_missing: [400, 'There is nothing to delete: send a source, a filter, or both'],
  original_not_kept: [404, 'The file of {source} is not kept: the setting originals of the flow keeps files'],
  source_not_found: [404, 'The flow {flow} has no document {source}'],
  source_version_not_found: [404, 'Nothing is left of the version {version} of {source}'],
  original_gone: [404, 'The kept file of {file} is gone, so it was not loaded again: send the file again'],
  original_damaged: [
    422,
    'The kept file of {file} is damaged, so it was not loaded again: it has {found} bytes instead of {bytes}; send the file again',
  ],
  original_unreadable: [
    503,
    'The kept file of {file} cannot be read now, so it was not loaded again: {reason}',
  ],
  stop_node_needed: [400, 'The flow has {count} vector stores: name one as stopNodeId'],
  // access
  unauthorized: [401, 'Unauthorized: this needs an API key'],
  key_invalid: [401, 'Unauthorized: the API key is not valid here'],
  key_expired: [401, 'Unauthorized: the API key expired on {at}'],
  sign_in_invalid: [
    401,
    'Unauthorized: the sign-in link has been used already, or is older than five minutes',
  ],
  open_upsert_refused: [
    401,
    'Unauthorized: the flow {flow} has no API key, so only requests from the machine of the server may write to it',
  ],
  scope_missing: [403, 'The API key has the scopes {scopes}; this needs the scope {scope}'],
  pinned_key_refused: [
    403,
    'The API key has pins, so it is limited to its own documents; it may not use {what}',
  ],
  egress_denied: [403, 'This server may not call {host}: {reason}'],
  origin_refused: [
    403,
    'This site is not allowed to write into the flow {flow}: its allowedOrigins do not list it',
  ],
  page_refused: [403, '{message}'],
  link_invalid: [403, 'The link is not valid, or has expired'],
  attachments_disabled: [400, 'File upload is not enabled for this chatflow'],
  session_taken: [403, 'This conversation belongs to another API key'],
  // things that do not exist
  route_not_found: [404, 'There is nothing at {method} {path}'],
  asset_not_found: [404, 'The studio has no file {name}; reload the page'],
  chat_page_not_found: [404, 'There is no chat page at this address: its owner may not have opened it'],
  studio_not_built: [404, 'The studio is not built: npm run build:studio'],
  flow_not_found: [404, 'Chatflow {flow} not found'],
  document_store_not_found: [404, 'Document store {store} not found'],
  document_loader_not_found: [404, 'Document loader {loader} not found in the document store {store}'],
  chunk_not_found: [404, 'The document store {store} has no chunk {chunk}'],
  chunk_edit_not_found: [404, 'The document store {store} has no edit {edit}'],
  chunk_edits_full: [409, 'The store {namespace} has {limit} edited and deleted chunks, which are the most'],
  deleted_flow_not_found: [404, 'There is no deleted flow {flow}'],
  model_not_found: [404, 'There is no model {model}, or the key does not open it'],
  node_not_found: [404, 'There is no node {name}'],
  key_not_found: [404, 'API key {id} not found'],
  credential_not_found: [404, 'Credential {id} not found'],
  credential_not_testable: [422, 'There is no cheap call that tests a credential of the kind {kind}'],
  credential_kind_not_found: [404, 'There is no kind of credential {name}; there are {known}'],
  template_not_found: [404, 'There is no template {name}; there are {known}'],
  execution_not_found: [404, 'Execution {id} not found'],
  run_not_found: [
    404,
    'There is no record of a run {id}: it may have been deleted with its conversation or its job',
  ],
  tool_not_found: [404, 'Custom tool {id} not found'],
  variable_not_found: [404, 'Variable {id} not found'],
  question_not_found: [404, 'The flow {flow} has no question {id}'],
  question_run_not_found: [
    404,
    'The flow {flow} has no run {id} of its questions; the newest {limit} are kept',
  ],
  message_not_found: [404, 'The flow has no such message in this chat'],
  feedback_not_found: [404, 'Feedback {id} not found'],
  history_not_found: [404, 'The upsert history has no row {id}'],
  job_not_found: [404, 'Job {id} not found'],
  dry_run_not_kept: [
    404,
    'There is no list of chunks for job {id}: only dry runs have one, and it is kept for one day',
  ],
  // conflicts and limits
  header_invalid: [400, 'The header {header} is not valid: {reason}'],
  revision_not_found: [404, 'The flow {flow} has no revision {number}'],
  flow_changed: [
    412,
    'The flow {flow} was saved by others meanwhile: its revision is {found}, this change is based on {based}',
  ],
  draft_not_found: [404, 'The flow {flow} has no draft'],
  draft_changed: [
    412,
    'The draft of {flow} was saved or published by others meanwhile: its number is {found}, this request is based on {based}',
  ],
  draft_stale: [
    409,
    'The draft of {flow} was made of revision {base}, and the live drawing was changed since: its revision is {found}',
    'merge them, and save the draft with the base of the live revision; or remove the draft',
  ],
  draft_unfit: [
    422,
    'The draft of {flow} cannot be published: {reason}',
    'PUT /api/v1/chatflows/:id makes a drawing live whatever it refuses',
  ],
  slug_taken: [409, 'Another flow already has the slug {slug}'],
  namespace_taken: [
    409,
    'The namespace {namespace} of {flow} has been filled by another flow meanwhile, so its chunks cannot come back',
  ],
  flow_bound: [409, 'The flow {flow} is bound to the API key {key} already'],
  question_taken: [409, 'Another question of the flow has this text already'],
  questions_full: [409, 'A flow can have {limit} questions: remove some first'],
  question_over_limit: [422, 'A question can have {limit} {what}'],
  questions_missing: [
    409,
    'The flow {flow} has no accepted question to ask',
    'mark a right answer in Ask, import some, or accept a proposal',
  ],
  questions_worse: [
    409,
    'Nothing was published: {count} questions of the flow {flow} that have their right answer now would lose it: {questions}',
    'look at them under Questions; the setting questions of the flow, block now, refuses such a publish',
  ],
  comparison_invalid: [422, 'The comparison cannot be made: {reason}'],
  comparison_running: [
    409,
    'The flow {flow} is being compared already, by job {job}: wait for it, or cancel it',
  ],
  comparison_not_found: [404, 'The flow {flow} has no comparison {id}'],
  comparison_over_limit: [422, 'The comparison cannot go on with the variant {variant}: {reason}'],
  variant_invalid: [422, 'The variant {variant} cannot be compared: {reason}'],
  variant_failed: [502, 'The variant {variant} could not be loaded: {reason}'],
  questions_invalid: [400, 'The questions cannot be imported: {reason}'],
  variable_taken: [409, 'There already is a variable {name}'],
  cleanup_refused: [
    409,
    'The full cleanup would remove {count} of the {total} chunks of {namespace}: send confirmFullCleanup to allow it',
  ],
  run_not_repeatable: [409, 'The run cannot be repeated: {reason}'],
  run_differs: [
    409,
    'Step {step} of the record is {was}, now it is {now}: the drawing has changed since, so the run cannot be repeated from a later step',
  ],
  nothing_waits: [409, 'No run of this conversation waits for a decision'],
  run_not_open: [
    409,
    'The run was ended before its publication, so nothing of it is visible: send the request again',
  ],
  job_ended: [409, 'Job {id} has already ended: it is {state}'],
  job_not_retryable: [409, 'Only a failed or cancelled job can be retried; job {id} is {state}'],
  job_expired: [
    409,
    'Job {id} can no longer be retried, since its request is kept for one day: send the request again',
  ],
  embedder_changed: [
    409,
    'The index {namespace} was built with {was} and the flow now embeds with {now}: vectors of two models cannot be compared',
    'POST /api/v1/vector/reindex/:flowId embeds anew what is stored; keyword search works meanwhile',
  ],
  engine_changed: [
    409,
    'The index {namespace} is in the vector engine {was} and the flow now uses {now}',
    'POST /api/v1/vector/reindex/:flowId moves what is stored to the vector engine of the flow',
  ],
  engine_not_connected: [
    409,
    'No flow has used the vector engine {engine} since this server started',
    'upsert into a flow with this engine, or ask it, and try again',
  ],
  no_points: [
    409,
    'The documents of the flow {flow} are in the built-in store, which has no points to compare or repair: it commits with the database',
    'sluice verify checks the database itself',
  ],
  engine_failed: [503, 'The vector engine {engine} failed: {reason}'],
  engine_waits: [
    503,
    'The index {namespace} waits for {server}, which takes no calls for {seconds} seconds: {reason}{more?}',
  ],
  engine_unfit: [409, 'The vector engine {engine} cannot be used: {reason}'],
  collection_unusable: [
    503,
    'The vector engine {engine} cannot be used for the index {namespace}: {reason}',
    'repair it in the engine; where it is lost, POST /api/v1/vector/reindex/:flowId embeds anew what is stored',
  ],
  vectors_missing: [
    409,
    'The vector engine has lost {count} vectors of the index {namespace}',
    'POST /api/v1/vector/reindex/:flowId embeds anew what is stored',
  ],
  upload_too_large: [413, 'The upload is larger than {limit} MB'],
  too_many_files: [413, 'The upload has more than {limit} files'],
  body_too_large: [413, 'The request body is larger than {limit}'],
  content_type_not_accepted: [415, 'The content type {type} is not accepted here; send {accepted}'],
  file_type_not_accepted: [415, '{file}: no loader of this flow reads {type}; accepted: {accepted}'],
  // files
  file_unreadable: [422, '{file} cannot be read: {reason}'],
  // what the thrower adds: the password is wrong, or none can help
  file_encrypted: [422, '{file} is protected by a password{more?}'],
  file_over_limit: [422, '{file} exceeds a limit of its reader: {reason}'],
  metadata_too_large: [
    422,
    'A document of {file} has {bytes} bytes of metadata; MAX_METADATA_KB allows {limit}',
  ],
  file_timeout: [422, '{file} took longer to read than {seconds} seconds'],
  file_crashed: [422, '{file} made its reader fail; no other file is affected'],
  file_not_stored: [422, 'The flow refers to the file {file}, which this server does not have'],
  path_not_allowed: [
    422,
    '{file} may not be read: it does not exist, or is outside of the directories in FOLDER_ALLOW',
  ],
  description_unusable: [422, 'The API description {file} cannot be used: {reason}'],
  page_forbidden: [422, '{file} may not be read: the robots.txt of its site forbids it'],
  upload_refused: [422, '{file} cannot be sent with a question: {reason}'],
  // flows that cannot do the work
  flow_cannot_upsert: [422, 'This flow cannot upsert: {reason}'],
  flow_cannot_query: [422, 'This flow cannot be queried: {reason}'],
  flow_cannot_answer: [422, 'This flow cannot answer: {reason}'],
  node_unknown: [422, 'The flow uses the node {node}, which this server does not have'],
  input_invalid: [422, 'The input {input} of the node {node} is not valid: {reason}'],
  idempotency_mismatch: [422, 'This Idempotency-Key was used before with another request'],
  dimension_mismatch: [
    422,
    'The embedder gave vectors of {got} numbers, but the index {namespace} has vectors of {want}',
  ],
  credential_missing: [422, 'The node {node} needs a credential: {reason}'],
  credential_wrong_kind: [
    422,
    'The node {node} takes a credential of the kind {wanted}, and {name} is of the kind {kind}',
  ],
  text_too_long: [422, 'A text is longer than {model} takes, and this flow does not allow cutting it'],
  quota_exceeded: [
    429,
    'The API key may use {limit} {quota} a day, has used {used} and asks for {amount}: the count begins again on {resetsAt}',
  ],
  quota_chunks_exceeded: [
    413,
    'The documents of the API key would have {count} chunks, and it may have {limit}: remove documents first',
  ],
  rate_limited: [429, '{message}'],
  too_many_keys: [429, 'Too many API keys from this address were wrong: try again in {retryAfter} seconds'],
  collection_invalid: [422, 'The collection {collection} cannot be used: {reason}'],
  source_id_missing: [422, '{file} has a chunk without the metadata key {key}, which names its source'],
  // other servers, and the state of this one
  fetch_failed: [502, '{file} could not be fetched: {reason}'],
  answer_form_wrong: [502, 'The answer of the model does not have the form that {node} asks for: {reason}'],
  provider_failed: [502, '{provider} failed: {reason}'],
  blob_failed: [503, 'The storage of files, bucket {bucket} at {host}, failed: {reason}'],
  blob_damaged: [500, 'The stored file {name} is not what was stored: {reason}'],
  blob_missing: [500, 'The storage of files does not have {file} any more'],
  blob_place_wrong: [500, 'BLOB_URL cannot be used with this data directory: {reason}'],
  dependency_silent: [
    503,
    'The server cannot do its work: its {name} did not answer within {seconds} seconds',
  ],
  warming: [
    503,
    'The server loads the namespaces that are asked most: {loaded} of {of} are loaded; other servers answer meanwhile',
  ],
  not_ready: [503, 'The server cannot do its work: its database does not answer'],
  database_damaged: [
    503,
    'The database of the server is damaged: the server answers from what can still be read, and writes nothing',
  ],
  database_unreachable: [503, 'The database does not answer: {reason}'],
  database_read_only: [
    503,
    'The database takes no changes: it is a standby, as the old primary after a failover, or was made read-only',
  ],
  database_busy: [503, 'The database is too busy for this change, which was not made: {reason}'],
  database_answer_lost: [
    503,
    'The connection to the database ended while a change was stored: it may have been stored or not',
  ],
  turn_lost: [
    503,
    'Another server has taken over {namespace}: this one could not tell the database in time that it is alive',
  ],
  database_gone: [500, 'The database {path} is missing or empty, though this data directory had one'],
  database_replaced: [500, 'The database {path} is not the one that this data directory had: {reason}'],
  database_log_lost: [500, 'The log {path} of the database is missing or damaged: its last changes are lost'],
  read_only: [503, 'The disk of the server is full: it answers queries and accepts no writes'],
  queue_share_full: [
    429,
    '{limit} jobs of {whose} wait already, which is its share of the queue: try again later',
  ],
  queue_full: [503, 'There are {limit} jobs in the queue, which is full: try again later'],
  server_busy: [503, 'The server has too many open requests: try again later'],
  stopping: [503, 'The server is stopping; try again in a moment'],
  storage_full: [507, 'The disk of the server is full'],
  provider_timeout: [504, '{provider} did not answer in {seconds} seconds'],
  cancelled: [499, 'The work was cancelled'],
  internal: [500, 'Something went wrong inside the server; its log has the details under {id}'],
  // the command line and the process
  port_taken: [
    500,
    'The port {port} on {host} is taken: stop the other program, or choose another with PORT',
  ],
  address_unusable: [500, 'Cannot listen on {host}:{port}: {reason}'],
  stop_unfinished: [500, 'The server has stopped, and could not end: {parts}'],
  data_dir_unusable: [500, 'The data directory {path} cannot be used: {reason}'],
  data_dir_in_use: [500, 'Another server is using the data directory {path}'],
  restore_unfinished: [
    500,
    'A restore into {path} was interrupted: run sluice restore again, or delete the folder "restoring" to start over',
  ],
  restore_target_used: [
    500,
    'A backup can only be restored into an empty data directory, and {path} has {found}: choose another with --data-dir, or move it away',
  ],
  move_target_used: [
    500,
    'Everything can only be moved into an empty place, and {place} has {found}',
    'name another database or directory; a move that you have begun yourself can be begun anew with --restart',
  ],
  move_done: [500, 'Everything was moved into {place} already'],
  move_unfinished: [
    500,
    'A move into {place} was interrupted',
    'run sluice move again with the same source and target: it goes on where it ended',
  ],
  move_differs: [
    500,
    'The two databases differ in {table} after the move: {reason}',
    'the source was changed meanwhile: stop all servers, and begin anew with --restart',
  ],
  database_in_use: [500, 'Servers at {places} are using the database', 'stop all servers first'],
  backup_target_exists: [500, 'The file {file} exists already; a backup replaces no file'],
  backup_failed: [500, 'The backup {file} could not be made: {reason}'],
  rescue_target_exists: [500, 'The file {file} exists already', 'name another, or replace it with --force'],
  rescue_needless: [
    500,
    'The database {path} has schema {found}, which this version opens itself: nothing was rescued',
    'start a server on it, which brings it to the newest schema; sluice backup copies it',
  ],
  rescue_impossible: [
    500,
    'The database {path} has schema {found}: only schemas {first} to {last} can be rescued',
    'load its documents into a new one',
  ],
  upgrade_not_backed_up: [
    500,
    'The database {path} has the schema of an earlier version ({found}), and the backup that is made before it is changed failed: {reason}. Nothing was changed',
    'make room or the folder writable; or keep a backup elsewhere and start once with sluice start --no-backup',
  ],
  backup_invalid: [500, 'The backup {file} cannot be used: {reason}'],
  database_unusable: [500, 'The database {path} cannot be opened: {reason}'],
  database_older: [
    500,
    'The database {path} was written before the first release (schema {found}, the first is {known})',
    'load its documents into a new one',
  ],
  database_newer: [
    500,
    'The database {path} was written by a newer version (schema {found}; this version supports {known})',
  ],
  database_unfit: [500, 'The PostgreSQL server of DATABASE_URL cannot be used: {reason}'],
  database_pooled: [
    500,
    '{setting} leads to a connection pooler in transaction mode, where locks, notifications and settings of a connection are lost',
    'give the address of the database itself: as DATABASE_DIRECT_URL, where DATABASE_URL has the pooler, or as DATABASE_URL. A pooler in session mode works, too',
  ],
  database_shared: [
    500,
    'Another server runs over the database of DATABASE_URL, and the files of one of them are in its data directory',
    'set BLOB_URL, the bucket for the files of all servers, on each of them; or stop the other server',
  ],
  schema_newer: [
    500,
    'The database of DATABASE_URL was changed by a newer version (schema {found}, which needs {needs}; this version knows {known})',
    'start the newer version',
  ],
  model_unusable: [500, 'The embedding model {path} cannot be used: {reason}'],
  secret_unreadable: [
    500,
    'Encrypted data cannot be read: it was encrypted with another secret than that of this server',
  ],
  secret_wrong: [
    500,
    '{source} is not the secret that encrypts the credentials in the database, so the server does not start',
  ],
  secret_missing: [
    500,
    'The file {path} with the secret of the credentials in the database is missing, so the server does not start',
  ],
  secret_same: [500, 'The new secret is the same as the old one'],
  secret_not_given: [
    500,
    'A rotation of SECRET_KEY needs the old and the new secret',
    'set SECRET_KEY to the old one, and type the new one, or send it on standard input',
  ],
  config_invalid: [500, 'The setting {name} is not valid: {reason}'],
} as const satisfies Record<string, ErrorRow>

/** `hint` is what to do, where it is always the same; a thrower may give another one. */
type ErrorRow = readonly [status: number, sentence: string, hint?: string]

export type ErrorCode = keyof typeof ERRORS

/** The values for the sentence of an error. Clients also get `file`, `stage` and `hint` as fields of the answer. */
export type ErrorFacts = {
  file?: string
  stage?: string
  hint?: string
  [fact: string]: string | number | undefined
}

/**
 * An error of the table {@link ERRORS}. Its message may be shown to a client.
 *
 * @example throw new SluiceError('file_encrypted', { file: 'b.pdf', stage: 'parse' })
 */
export class SluiceError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly facts: ErrorFacts

  constructor(code: ErrorCode, facts: ErrorFacts = {}, options?: { cause?: unknown }) {
    const [status, sentence, hint]: ErrorRow = ERRORS[code]
    super(
      sentence.replace(/\{(\w+)(\??)\}/g, (_, name: string, optional: string) =>
        bounded(String(facts[name] ?? (optional ? '' : '?'))),
      ),
      options,
    )
    this.name = 'SluiceError'
    this.code = code
    this.status = status
    this.facts = hint === undefined ? facts : { hint, ...facts }
  }
}

/** The most characters of a fact in a message: a parser may quote a hostile document. */
const LONGEST_FACT = 2000

const bounded = (fact: string): string =>
  fact.length <= LONGEST_FACT ? fact : `${fact.slice(0, LONGEST_FACT)}…`

/** The body of the answer to a failed request, for all routes. */
export type ErrorBody = {
  statusCode: number
  success: false
  message: string
  stack: Record<string, never>
  code: ErrorCode
  error?: 'Unauthorized Access'
  file?: string
  stage?: string
  /** The node of the flow, and the name of its input. */
  nodeId?: string
  input?: string
  hint?: string
  /** The job that goes on with the work of the request. */
  jobId?: string
}

/** The body for a client. Flowise's clients look for the `error` of a 401. */
export function errorBody(error: SluiceError): ErrorBody {
  const { file, stage, hint, nodeId, inputName, jobId } = error.facts
  return {
    statusCode: error.status,
    success: false,
    message: error.message,
    stack: {},
    code: error.code,
    ...(error.status === 401 ? { error: 'Unauthorized Access' as const } : {}),
    ...(file === undefined ? {} : { file }),
    ...(stage === undefined ? {} : { stage }),
    ...(typeof nodeId === 'string' ? { nodeId } : {}),
    ...(typeof inputName === 'string' ? { input: inputName } : {}),
    ...(hint === undefined ? {} : { hint }),
    ...(typeof jobId === 'string' ? { jobId } : {}),
  }
}

/** An error and its causes, the outermost first. A chain that leads back to itself ends there. */
export function errorChain(thrown: unknown): Error[] {
  const chain: Error[] = []
  for (let at = thrown; at instanceof Error && !chain.includes(at); at = at.cause) chain.push(at)
  return chain
}

/** The first line of the message of any thrown value, at most 300 characters, for `{reason}`. */
export function reasonOf(thrown: unknown): string {
  const text = thrown instanceof Error ? thrown.message : String(thrown)
  return text.split('\n', 1)[0]!.slice(0, 300)
}
