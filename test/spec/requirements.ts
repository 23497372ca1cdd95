/** What the product must do, one behaviour a row. Tests cite the ids in square brackets in their titles. */
export type Requirement = {
  id: string
  sentence: string
  /** Our own decision, where the source description is silent. */
  decided?: true
}

export const REQUIREMENTS: readonly Requirement[] = [
  // A. Event management service
  { id: 'events:port', sentence: 'listens on `PORT`, default 5566' },
  {
    id: 'events:seed',
    sentence:
      'starts with five events, ids `1` to `5` (the list below), and is back to exactly these after a restart',
  },
  { id: 'events:list', sentence: '`GET /events` → 200, array of all events in insertion order' },
  {
    id: 'events:create',
    sentence: '`POST /events` with `name`, `date`, `location` → 201 and the event; appended to the end',
  },
  {
    id: 'events:create:id-from-body',
    sentence: "a body `id` that is present and truthy becomes the event's id; otherwise a generated UUID",
  },
  {
    id: 'events:create:duplicate-id',
    sentence: 'no duplicate check: the same id twice gives two stored events; lookups then meet the first',
  },
  { id: 'events:create:extra-fields', sentence: 'other fields in a body are ignored and not stored' },
  { id: 'events:get', sentence: '`GET /events/{id}` → 200 and the event; ids compare as exact strings' },
  {
    id: 'events:patch',
    sentence:
      '`PATCH /events/{id}` needs all three fields; replaces them, keeps the id and the place in the list; 200 and the event',
  },
  {
    id: 'events:patch:404-before-400',
    sentence: 'on PATCH an unknown id answers 404 even when the body is invalid',
  },
  { id: 'events:delete', sentence: '`DELETE /events/{id}` → 204 with an empty body' },
  {
    id: 'events:missing-fields',
    sentence:
      'POST/PATCH lacking fields → 400 `{"error":"Missing required fields: name, date, location"}`, naming just the missing ones, in the order name, date, location, separated by `, `',
  },
  {
    id: 'events:missing-falsy',
    sentence: 'absent and falsy (empty string, null, 0, false) both count as missing',
  },
  {
    id: 'events:date',
    sentence:
      '`date` has the form `YYYY-MM-DDTHH:mm:ss`, optional fraction (`.` and digits), optional `Z`; else 400 `{"error":"Date must be in ISO 8601 format (YYYY-MM-DDTHH:mm:ssZ)"}`',
  },
  { id: 'events:missing-before-date', sentence: 'the missing-fields check comes first; one message only' },
  {
    id: 'events:not-found',
    sentence: 'unknown id on GET, PATCH, DELETE → 404 `{"error":"Event not found"}`',
  },
  {
    id: 'events:unknown-route',
    sentence:
      'any request that matches no route → 404 `{"error":"Endpoint not found"}`; that includes PUT on `/events` and on `/events/{id}`',
  },
  { id: 'events:limit-ignored', sentence: 'a `limit` query parameter is not processed' },
  {
    id: 'events:failure',
    sentence: 'an unhandled failure → 500 `{"error": <generic message>}` without internals',
  },
  {
    id: 'events:openapi',
    sentence:
      'an OpenAPI 3.0.0 document, version 1.0.0, with operation ids listEvents, createEvent, getEventById, updateEventDetails, deleteEvent and schemas Event, EventInput, Error ships as a YAML file in the repo and in the package; a test proves that the running service conforms to it',
  },
  {
    id: 'events:bad-json',
    sentence:
      'a JSON body that does not parse → 400 `{"error":"Request body is not valid JSON"}`, before everything else, the 404 of PATCH included; an absent or non-object body, or one of another content type, counts as all fields missing; HEAD is answered as GET, OPTIONS as any unknown route, a trailing slash is the same route',
    decided: true,
  },
  {
    id: 'events:wrong-type',
    sentence:
      'a truthy `date` that is no string does not match the pattern → 400 with the date sentence; *decided*: a truthy `name` or `location` that is no string → 400 with an `error` naming the field; the order is missing fields, date, types; a numeric body `id` is stored as its decimal string',
    decided: true,
  },
  { id: 'events:too-large', sentence: 'a body over 100 kB → 413 with an `error`', decided: true },

  // B. Vector upsert
  {
    id: 'upsert:path',
    sentence: '`POST {base}/api/v1/vector/upsert/{flowId}`; the platform listens on `PORT`, default 3000',
  },
  {
    id: 'upsert:multipart',
    sentence:
      '`multipart/form-data`: one or more file parts named `files`; an optional text part `overrideConfig` holding a JSON object',
  },
  {
    id: 'upsert:multipart:flat',
    sentence:
      'other text parts are override keys too (`chunkSize=500`, `metadata` as JSON text, `openAIApiKey[nodeId]=…`); a flat part wins over the same key in `overrideConfig`',
    decided: true,
  },
  {
    id: 'upsert:json',
    sentence:
      '`application/json`: body `{overrideConfig}`; the field may be absent or null; an empty body works too',
  },
  {
    id: 'upsert:form-by-loader',
    sentence:
      'flows with a loader of uploads use the multipart form; flows with a loader that fetches its documents (web page, sitemap, HTTP API, database, folder, text) use the JSON form; the wrong form → a clear 400 or 415, never a silent 200',
  },
  {
    id: 'upsert:types',
    sentence:
      'uploads of .csv .docx .json .jsonl .pdf .txt .xlsx .pptx, each by its own loader node; the file loader and the unstructured loader each take several types',
  },
  {
    id: 'upsert:unstructured',
    sentence:
      'unstructuredFileLoader reads files by the Unstructured server that it names; without one an upsert is 422 and names the node that reads them here, and the flow still opens and is queried',
    decided: true,
  },
  {
    id: 'stores:experimental',
    sentence:
      'a node whose engine no test has met is experimental in the list of nodes, in the report of an import and in the log: Qdrant and Pinecone; the built-in store, PostgreSQL with pgvector, Chroma, OpenSearch and Elasticsearch are not',
    decided: true,
  },
  {
    id: 'upsert:type-match',
    sentence:
      "a file that the flow's loader cannot read → 415 naming the file, its type and the accepted types; type by extension and content, not by the MIME type that the client declares (curl and Python send octet-stream or text/plain)",
  },
  {
    id: 'formats:table-header',
    sentence:
      'CSV and XLSX: the header may stand below title rows; those are a document of their own and metadata `tableTitle` of each row; blank cells and rows that repeat the header give no text',
    decided: true,
  },
  {
    id: 'formats:text-boxes',
    sentence:
      'XLSX: text boxes, comments and titles of charts are read; a hidden sheet is left out and named in `warnings`',
    decided: true,
  },
  {
    id: 'formats:equations',
    sentence:
      'DOCX: equations are text in one line that keeps operators, brackets, scripts and limits: `x=(-b±√(b^2-4ac))/(2a)`',
    decided: true,
  },
  {
    id: 'formats:row-metadata',
    sentence:
      'XLSX: the cells of a row are metadata up to 8 kB, longer cells are in the text alone, and a warning says so',
    decided: true,
  },
  {
    id: 'formats:bounded-parts',
    sentence: 'a document of any length reaches the server in parts of at most 64 k characters',
    decided: true,
  },
  {
    id: 'formats:json',
    sentence:
      'JSON and JSON Lines: an element of an array of objects is a document, else the object; its text is lines `path: value` with every text, number, boolean and null as the file writes them; metadata `pointer` is its JSON pointer (in JSON Lines, within the line); with pointers, only the texts at them; what is left out is named in `warnings`',
    decided: true,
  },
  {
    id: 'formats:mail',
    sentence:
      'a mail (`.eml`, or text without a known ending that begins as one) is a document: its subject as a heading, sender, recipients and date, its text decoded (the plain form, else the HTML); metadata `subject`, `from`, `to`, `cc`, `date` (ISO 8601, UTC), `messageId`',
    decided: true,
  },
  {
    id: 'formats:mail:attachments',
    sentence:
      'attachments of a mail are read by the readers of their types, as documents of the same source with the metadata of the mail and `attachment`, their name; a file in a mail in the mail has both names with a slash between; what cannot be read is named in `warnings`',
    decided: true,
  },
  {
    id: 'formats:mail:limits',
    sentence:
      'a mail may have 1,000 files of 200 MB together, ten inside one another; what is beyond, or exceeds a limit of its reader, is told, and the rest of the mail is read',
    decided: true,
  },
  {
    id: 'formats:mail:mbox',
    sentence: '`.mbox`: a document per mail with metadata `mailNumber`, from a file of any size',
    decided: true,
  },
  {
    id: 'formats:mail:msg',
    sentence: '`.msg`: a mail that Outlook saved gives what the same mail as `.eml` gives',
    decided: true,
  },
  {
    id: 'formats:mail:protected',
    sentence:
      'of an encrypted mail the headers are read, and a warning says so; the signature of a signed one is not checked, and a warning says so',
    decided: true,
  },
  {
    id: 'formats:notebook',
    sentence:
      '`.ipynb` (nbformat 2 to 4): a document per cell, code between fences, then its output as text without colours; pictures are left out; metadata `cell`, `cellType`, `language`, `kernel`',
    decided: true,
  },
  {
    id: 'formats:notebook:limits',
    sentence:
      'of the outputs of one cell 262,144 characters are read, a warning names the cell and what was left out; the file may have any size',
    decided: true,
  },
  {
    id: 'formats:open-document',
    sentence:
      'OpenDocument: `.odt` is read as DOCX, `.ods` as XLSX, `.odp` and `.odg` as PPTX: headings, list numbers, tables, notes, comments, headers; rows with the names of their header, `worksheet`, `rowNum`; `slideNumber`; a hidden sheet is left out and told; an encrypted file → `file_encrypted`',
    decided: true,
  },
  {
    id: 'formats:epub',
    sentence:
      'EPUB 2 and 3: a document per chapter in reading order; metadata `title`, `author`, `language`, `published` of the book, `chapter`, `chapterNumber`; pictures are counted, a protected book → `file_encrypted`',
    decided: true,
  },
  {
    id: 'formats:rtf',
    sentence:
      'RTF: bytes by the code page of their font, `\\u` with its fallback, headings, list numbers, tables, notes, comments, headers; hidden and deleted text and unknown destinations are left out; groups nested over 1000 deep → `file_over_limit`',
    decided: true,
  },
  {
    id: 'formats:subtitles',
    sentence:
      '`.srt` and `.vtt`: cues are joined to passages of about 800 characters that end with a sentence or before a pause; metadata `start` and `end` (`00:01:02.500`); a line names its speaker where the speaker changes',
    decided: true,
  },
  {
    id: 'formats:calendar',
    sentence:
      '`.ics`: a document per event, task and journal entry: title, times, place, repetition, people, description; metadata `event`, `summary`, `start`, `end`, `due`, `location`, `uid`',
    decided: true,
  },
  {
    id: 'formats:outline',
    sentence:
      '`.opml`: one document: lines at the top are headings where any has others below it, the others items of lists with notes and addresses; metadata `title` and `author`',
    decided: true,
  },
  {
    id: 'formats:old-office',
    sentence:
      '`.doc` of Word 97 to 2003 is read as DOCX, `.xls` of Excel 5 to 2003 as XLSX; encrypted → `file_encrypted`; a damaged table of sectors, an older version or another content → `file_unreadable`, which says what it is',
    decided: true,
  },
  {
    id: 'formats:misnamed',
    sentence:
      'content that names its own type (OpenDocument, EPUB) decides over the ending; RTF, HTML, tables as text and newer Office files under `.doc` and `.xls` are read as what they are',
    decided: true,
  },
  {
    id: 'formats:convert',
    sentence:
      'a file in a format without a reader that many people have (`.ppt`, `.xlsb`, `.pages`, `.key`, `.numbers`, …) → 415 that names the format and how to save it, where a loader of the flow reads that',
    decided: true,
  },
  {
    id: 'formats:no-text',
    sentence:
      'bytes that are no text are never indexed as text: a name without a known ending → 415, an ending that promises text → 422 `file_unreadable`, a web page → left aside with a warning; judged by control characters and what the bytes prove of their encoding, so that UTF-16, UTF-32 and old encodings are read',
    decided: true,
  },
  {
    id: 'formats:html',
    sentence:
      'HTML is read as the HTML standard builds its tree; rows and cells outside of a table are parted by lines and spaces; what `display: none` in an attribute, `hidden` or the head of inline XBRL hides is left out, and a warning counts it, unless the selector of the node meets it',
    decided: true,
  },
  {
    id: 'formats:permalinks',
    sentence:
      'HTML: the sign that links a heading to itself (`¶`, `#`, a character of an icon font) is not in its text',
    decided: true,
  },
  {
    id: 'formats:json-cells',
    sentence:
      'JSON: an empty text in a list keeps its place between the commas, so that columns do not shift',
    decided: true,
  },
  {
    id: 'formats:pdf-code',
    sentence:
      'PDF: lines of code in fixed-width type stay lines, with their indentation, in a fenced block of markdown',
    decided: true,
  },
  {
    id: 'formats:pdf-words',
    sentence:
      'PDF: accents are on their letters; text printed twice at one place is read once; a hyphen at the end of a line stays where the words of the document say that it belongs to the word',
    decided: true,
  },
  {
    id: 'formats:pdf-cells',
    sentence:
      'PDF: the lines of a cell of a table stay together, and the cells of a row are on one line, between tabs',
    decided: true,
  },
  {
    id: 'formats:pdf-headings',
    sentence:
      'PDF: larger type makes a heading, but not of a sentence, a paragraph, a list item or a formula',
    decided: true,
  },
  {
    id: 'formats:pdf-dropped',
    sentence:
      'PDF: repeated headers and footers, page numbers and pages without readable text are told, with their count and pages',
    decided: true,
  },
  {
    id: 'upsert:response',
    sentence: '200 with `numAdded`, `numDeleted`, `numSkipped`, `numUpdated`, always all four, numbers',
  },
  {
    id: 'upsert:source-documents',
    sentence: '`returnSourceDocuments: true` adds `sourceDocuments`: array of `{pageContent, metadata}`',
  },
  {
    id: 'upsert:override:keys',
    sentence:
      "`chunkSize`, `chunkOverlap` (numbers), `returnSourceDocuments` (boolean), `metadata` and `addMetadata` (objects; merged into every chunk's metadata) and every input of every node in the flow by its name",
  },
  {
    id: 'upsert:override:gated',
    sentence:
      "an override takes effect only when that input is enabled in the flow's configuration; without exception for objects, files, falsy values",
  },
  {
    id: 'upsert:override:reported',
    sentence: 'a key that was ignored is named with its reason in a `warnings` array of the response',
    decided: true,
  },
  {
    id: 'upsert:records',
    sentence:
      'with a record manager: unchanged chunks are skipped (not embedded again), chunks that vanished from a source are deleted (cleanup `incremental`), everything not in this run is deleted (cleanup `full`), changed metadata updates; the four counters add up with the chunks of the run',
  },
  {
    id: 'upsert:idempotent',
    sentence: 'without a record manager too, sending the same content twice adds nothing the second time',
    decided: true,
  },
  {
    id: 'server:request-id',
    sentence:
      'every answer has the header `x-request-id`: that of the request where it is 1 to 128 letters, digits and `_.:-`, else a new one; log lines of a failure name it with method and route',
    decided: true,
  },
  {
    id: 'upsert:files:reader-revision',
    sentence:
      'a file sent again with equal bytes is read again where its type is read by another reader than before, or by a newer revision of its reader; otherwise it is `unchanged`',
    decided: true,
  },
  {
    id: 'upsert:source-id',
    sentence:
      "the source of a chunk (upload: the file's name; else URL, path, table, node id) is kept apart from its metadata, which shows it as `source`; cleanup, listing and deletion by source use the former, so neither overrides nor `omitMetadataKeys` can make one file delete another; only a record manager's `sourceIdKey` other than `source` chooses another key",
    decided: true,
  },
  {
    id: 'upsert:auth',
    sentence:
      'a flow that requires it takes `Authorization: Bearer <API_KEY>`, both forms alike; missing or wrong → 401 JSON',
  },
  {
    id: 'upsert:auth:scope',
    sentence:
      'a key that opens the flow and lacks the scope of the route → 403 `scope_missing`, which names the scope',
    decided: true,
  },
  {
    id: 'answers:compressed',
    sentence:
      'an answer of 1 kB or more is compressed with br or gzip where the client accepts it, with Vary; streams are sent as they come, and answers with a new key or code as they are',
    decided: true,
  },
  {
    id: 'nodes:etag',
    sentence:
      '`GET /api/v1/nodes` has an ETag; a request that names it in If-None-Match → 304 without a body',
    decided: true,
  },
  {
    id: 'jobs:swept',
    sentence:
      'what a failed or cancelled upsert has staged, and what a killed server had not swept, is deleted within a minute, in steps; while a job of the namespace is queued or runs it stays for that, and for 20 seconds after it, so that a retry embeds no text twice',
    decided: true,
  },
  {
    id: 'jobs:invisible',
    sentence:
      '`GET /api/v1/stats` and `sluice verify` count the chunks that no query finds: those that are to be deleted, and those that can be restored',
    decided: true,
  },
  {
    id: 'flows:removed-points',
    sentence:
      'points of a flow that was removed for good are deleted from a separate engine with no flow that names it, by any server of the database, after a kill too, and again after growing pauses while the engine is away; where its credential is gone, log and `sluice verify` say what is left',
    decided: true,
  },
  {
    id: 'flows:removed-for-good',
    sentence:
      '`DELETE /api/v1/chatflows/:id?now=true` answers once the flow cannot come back; its chunks are deleted behind it, after a kill by the next start',
    decided: true,
  },
  {
    id: 'keys:scope:manage',
    sentence:
      'a known key without the scope `manage` on a management route → 403 `scope_missing`, which names `manage` and the scopes that the key has, before any look-up; an unknown or expired key → 401',
    decided: true,
  },
  {
    id: 'upsert:errors',
    sentence:
      '400 bad request, 401, 404 unknown flow, 409 conflict, 413 too large, 415 type, 422 a flow that cannot upsert, 429, 502 a provider failed, 504; body `{statusCode, success:false, message, stack:{}}` plus `code`, `file`, `stage`, `hint` where known; never document text or a secret',
    decided: true,
  },
  {
    id: 'upsert:atomic',
    sentence:
      "a failed upsert changes nothing a reader can see; a reader sees a source's old chunks or its new ones, never neither, never both (cleanup `none`: the old ones stay, the new ones appear all at once); a run is published in one transaction, a failed or cancelled one shows nothing, and its staged work waits for a retry before it is swept",
    decided: true,
  },
  {
    id: 'upsert:outdated',
    sentence:
      'an upsert that leaves chunks of earlier versions of its documents says how many: `numOutdated`, `outdated` in the row of each such file, a warning `cleanup` with the way out; in the record, the history and the list of documents too',
    decided: true,
  },
  {
    id: 'upsert:dropped',
    sentence:
      'the row of a file in the answer of an upsert, of a dry run and in its job says how much of each kind was left out of its text (`dropped`), also of an unchanged file and of one without text',
    decided: true,
  },
  {
    id: 'upsert:dropped:kinds',
    sentence:
      'readers tell what they leave out by kind, count and place: hidden sheets and elements, pictures, embedded files, deletions of tracked changes, repeated headers, page numbers, damaged parts, skipped lines and values, keys that occur twice, bytes that are no character, cells that metadata lack',
    decided: true,
  },
  {
    id: 'upsert:dropped:bounded',
    sentence:
      'what is left out of a document is at most 100 rows: neighbours are one row (pages 3 to 5), and of what comes after them a last row of each kind has the sum',
    decided: true,
  },
  {
    id: 'upsert:two-versions',
    sentence:
      'of two versions of a document that are loaded at the same time one stays wholly with the cleanup `incremental`; with `none` the later is the newest, and what is left of the other is told',
    decided: true,
  },
  {
    id: 'sources:versions',
    sentence:
      'the text of a document is that of one version: of the newest, or what is left of an earlier one, which `version` names; a text that no version has is never shown',
    decided: true,
  },
  {
    id: 'upsert:ui',
    sentence:
      'the flow editor shows a green button at the top right that opens the upsert dialog and starts the same action',
  },
  {
    id: 'upsert:independent',
    sentence: 'upserting and querying the same flow run at the same time without blocking each other',
  },
  {
    id: 'upsert:job',
    sentence:
      '`Prefer: respond-async` or `?async=true` → 202 and a job that can be followed, cancelled and tried again; the blocking form runs the same job and waits; a client that goes away does not lose it',
    decided: true,
  },
  {
    id: 'upsert:job:restart',
    sentence:
      'jobs survive a restart, however the process ended, and go on with the flow as it was when the request came; what was embedded and written is not embedded again',
    decided: true,
  },
  {
    id: 'upsert:job:idempotency',
    sentence:
      '`Idempotency-Key` (24 h): the same flow, caller, query and parts → the first answer again, a failure too, joining the run if it is still under way; another body → 422',
    decided: true,
  },
  {
    id: 'upsert:job:bounds',
    sentence:
      'so many jobs may wait or run (`MAX_JOBS`), one more → 503 `queue_full` with `Retry-After`, before its body is read; what is kept of ended jobs and of the history is bounded by age, number and bytes',
    decided: true,
  },
  {
    id: 'limits:requests:turns',
    sentence:
      'one request begins in each turn of the event loop, and so many queries are in work at a time (`MAX_REQUESTS_IN_WORK`, of one key three quarters); the others wait by turns of their keys (of their addresses, where they have none), while health and metrics do not wait',
    decided: true,
  },
  {
    id: 'limits:answers',
    sentence:
      'a connection whose client takes nothing of its answer for `ANSWER_WAIT_S` seconds is closed; one whose answer is still being made is not',
    decided: true,
  },
  {
    id: 'limits:requests:shed',
    sentence:
      'there are so many requests at a time (`MAX_REQUESTS`, of one key three quarters), one more → 503 `server_busy` with `Retry-After`; a key with fewer takes the place of the newest waiting request of the key with the most; `sluice_requests_shed_total` counts what is refused',
    decided: true,
  },
  {
    id: 'upsert:job:turns',
    sentence:
      'waiting jobs begin by turns of their keys (of their flows, where they have none): the key with the fewest running jobs first, then the one served longest ago; those of one key in one namespace in the order of arrival; one place more than usual is for a key with nothing running; the same with several servers on one database',
    decided: true,
  },
  {
    id: 'upsert:job:share',
    sentence:
      'so many jobs of one key, or of one flow without a key, may wait (`MAX_JOBS_PER_KEY`), one more → 429 `queue_share_full` with `Retry-After`; those of others are still taken',
    decided: true,
  },
  {
    id: 'upsert:job:away',
    sentence:
      'a queued job whose files are in a bucket that is away waits for it (`waitsFor: "upload store"`) and can be cancelled; it runs when the bucket is back, and jobs of others go on meanwhile; the same with several servers on one database',
    decided: true,
  },
  {
    id: 'upsert:job:place',
    sentence: 'a waiting job has its `place` in the queue, from 1, and its events tell each new one',
    decided: true,
  },
  {
    id: 'upsert:reindex',
    sentence:
      "`POST /api/v1/vector/reindex/{flowId}` embeds the stored text again with the flow's embedder, as a job like an upsert; readers see the old vectors until all new ones are there, then the new ones at once; cancelled or killed it changes nothing, and going on it embeds nothing twice",
    decided: true,
  },
  {
    id: 'upsert:refresh',
    sentence:
      '`GET /api/v1/vector/refresh/{flowId}` tells which documents were loaded with other settings than the flow has now, what differs and the one action that helps; `POST` loads them again as a job like an upsert, from kept files and with the loaders that find theirs, with what their own requests had overridden; it replaces the chunks of these documents alone, and names the files that are not kept. What a request has overridden, and what is not known, is no difference',
    decided: true,
  },
  {
    id: 'upsert:history',
    sentence:
      'every run leaves a row of the upsert history, failures included; neither it nor a job shows a secret',
    decided: true,
  },
  {
    id: 'query:retrieve',
    sentence:
      '`POST /api/v1/vector/query/{flowId}` `{query, topK, filter, …}` answers the matching chunks with scores; no chat model needed',
    decided: true,
  },
  {
    id: 'query:filter',
    sentence:
      'a filter over metadata means the same everywhere; what it does not know it refuses; a filter on the card is a fence that requests only narrow',
    decided: true,
  },
  {
    id: 'upsert:metadata',
    sentence:
      'a document has at most MAX_METADATA_KB (16) of metadata: what a flow or a request adds beyond is refused with the file and the size, fields of a loader beyond are left out and named in `warnings`',
    decided: true,
  },
  {
    id: 'query:filter:query-string',
    sentence:
      '`filter` in the query string of a query or a removal is JSON and means the same as in a body; text that is not JSON is refused',
    decided: true,
  },
  {
    id: 'query:filter:misspelt',
    sentence:
      'a name that is nearly `filter`, or `where`, in the body or the query string of a query or a removal → 400 `filter_invalid` that names `filter`; nothing is found or removed',
    decided: true,
  },
  {
    id: 'query:filter:absent',
    sentence: 'a field of a filter that no chunk has is named in `warnings` of the query',
    decided: true,
  },
  {
    id: 'store:postgres',
    sentence:
      'the card `postgres` keeps vectors in a PostgreSQL with pgvector 0.8.4 or newer; the server decides what readers see, and finds words itself; a table of Flowise with the name of the card is found too, and never changed',
    decided: true,
  },
  {
    id: 'chat:files',
    sentence:
      'what is loaded with a `chatId` is found by requests that name this conversation alone, on every way to the chunks of a flow; the chat id is the permission, and other callers do not get it',
    decided: true,
  },
  {
    id: 'chat:files:identity',
    sentence:
      'a file of one conversation neither replaces nor removes a file of another one, or one that is for all',
    decided: true,
  },
  {
    id: 'chat:files:owner',
    sentence:
      'a conversation of a closed flow is for the key that began it, with its first question or its first file, and for managers, on every route that takes a `chatId`, and for files whose metadata name it: 403 `session_taken` for other keys',
    decided: true,
  },
  {
    id: 'access:meanwhile',
    sentence:
      'a key that is deleted, or loses its scope or its flow, while the body of a request arrives or the request waits for its turn has no effect: the request is refused, and nothing of it stays',
    decided: true,
  },
  {
    id: 'chat:files:before',
    sentence:
      'files that were in a conversation without a message before files had owners are for managers alone, in an open flow for whoever has the chat id; a key that did not load them reads none after an upgrade',
    decided: true,
  },
  {
    id: 'chat:files:end',
    sentence: 'what was loaded for a conversation goes with its last message, and with its flow',
    decided: true,
  },
  {
    id: 'keys:pins',
    sentence:
      'an API key may have pins, metadata that limit it to its own documents (`key new --pin tenant=acme`, `pins` of `POST /api/v1/apikey`); they never change, names and values that cannot work are refused, and such a key has no scope `manage`',
    decided: true,
  },
  {
    id: 'keys:pins:query',
    sentence:
      'a key with pins finds only chunks with all of its pins, in every mode and with every engine, whatever filter, namespace or override a request has',
    decided: true,
  },
  {
    id: 'keys:pins:upsert',
    sentence:
      'every chunk that a key with pins loads has these metadata, which no request replaces; counts do not tell what others have loaded',
    decided: true,
  },
  {
    id: 'keys:pins:identity',
    sentence:
      'a document of a key with pins is apart from one of the same name that others have loaded: neither replaces, skips, cleans up or removes the other; keys with equal pins share documents',
    decided: true,
  },
  {
    id: 'keys:pins:documents',
    sentence:
      'lists, texts, files, removal and restoration of documents are limited to the pins of the key; a caller without pins names them with `pin`',
    decided: true,
  },
  {
    id: 'keys:pins:predict',
    sentence:
      'predictions, agents, tools, stores of other flows, flows that a flow calls, MCP and the protocol of OpenAI stay within the pins; sessions of such a key are its own, also in an open flow',
    decided: true,
  },
  {
    id: 'keys:quotas',
    sentence:
      'an API key may have quotas: `questions` and `bytes` of uploads in a day of UTC, refused with 429 `quota_exceeded`, and with pins `chunks` of its documents, refused with 413 `quota_chunks_exceeded`; they are counted in the database, and shown with what is used',
    decided: true,
  },
  {
    id: 'keys:pins:jobs',
    sentence: 'a job is found by callers with the same pins or none; a retry keeps them',
    decided: true,
  },
  {
    id: 'keys:pins:routes',
    sentence:
      'every route works within the pins of a key, gives nothing that was loaded or asked, or refuses the key with 403 `pinned_key_refused`',
    decided: true,
  },
  {
    id: 'agent:moderation',
    sentence:
      'a moderation of the node that answers looks at the question first: a refused one is answered with its message and no model of the node is asked; where a question cannot be judged there is no answer',
    decided: true,
  },
  {
    id: 'agent:executions',
    sentence:
      'GET /executions pages the runs of flows by kind, flow, session, state, time and words of the question, for managers alone; a run is deleted with its question',
    decided: true,
  },
  {
    id: 'runs:every-answer',
    sentence:
      'every prediction, streamed or not, in the protocol of OpenAI or over MCP, leaves a run: nodes, model calls with tokens, tool calls, and searches with their sources, each with its start and duration; visitors of a chat flow get nothing of it',
    decided: true,
  },
  {
    id: 'runs:failures',
    sentence:
      'the run of a failed answer is ERROR with the code of the error; one that was stopped, or whose client went, is TERMINATED with the code `cancelled`',
    decided: true,
  },
  {
    id: 'runs:one-run',
    sentence:
      'a run that waits for a person and goes on is one run, with the time of the wait and the decision',
    decided: true,
  },
  {
    id: 'runs:lost',
    sentence:
      'the run of a server that was killed ends as TERMINATED with the code `lost`, at its next start or by another server',
    decided: true,
  },
  {
    id: 'runs:bounded',
    sentence: 'a run keeps at most 500 spans; a long text of it is cut, and says how long it was',
    decided: true,
  },
  {
    id: 'runs:kept',
    sentence:
      'a run is kept as long as its question: it goes with the conversation, the session, the flow, and KEEP_CHATS_DAYS',
    decided: true,
  },
  {
    id: 'runs:record',
    sentence:
      'GET /runs/:id gives answers and jobs in one form, while they go on and afterwards: steps on one axis, nodes with counts and time, lines of the drawing with a count and the last three items; secrets are masked, managers alone read it',
    decided: true,
  },
  {
    id: 'runs:query-record',
    sentence: 'a query with record: true brings the record of its run, which the server does not keep',
    decided: true,
  },
  {
    id: 'runs:again',
    sentence:
      'POST /runs/:id/again does an answer again from a step, as a run of its own: before it models, tools and nodes that call servers have their recorded answers, from it on tools have them unless they are asked live',
    decided: true,
  },
  {
    id: 'runs:not-again',
    sentence:
      'what cannot be done again says why: a step after the decision of a person or within a tool, a text that was not kept whole, another drawing, a question with files, a job',
    decided: true,
  },
  {
    id: 'studio:run-on-drawing',
    sentence:
      'the canvas shows a run on its nodes and lines, steps through it, does it again from a step, saves it as a file and opens such a file',
    decided: true,
  },
  {
    id: 'runs:never-in-the-way',
    sentence: 'an answer neither fails nor waits because its run cannot be stored, as on a full disk',
    decided: true,
  },
  {
    id: 'chunks:ranges',
    sentence:
      'each chunk names the range of its words in the extracted text of its source, in UTF-16 code units, and its page; with a sourceIdKey it names none',
    decided: true,
  },
  {
    id: 'chunks:ranges:moved',
    sentence: 'a chunk that an upsert skips has its range in the new text of the source',
    decided: true,
  },
  {
    id: 'chunks:search',
    sentence:
      '`search` finds chunks of a source by a part of their text, and `around` gives the page that has a chunk',
    decided: true,
  },
  {
    id: 'splitter:sluice:sentences',
    sentence:
      'the Sluice Text Splitter cuts at headings, paragraphs, rows and definitions, else between sentences, also in Chinese, Japanese, Hindi and Arabic and not after an abbreviation; in a sentence only where it is longer than a chunk',
    decided: true,
  },
  {
    id: 'splitter:sluice:overlap',
    sentence:
      'the Sluice Text Splitter repeats whole sentences, at most `chunkOverlap` characters, and nothing of a paragraph that is over',
    decided: true,
  },
  {
    id: 'splitter:sluice:headings',
    sentence:
      'the Sluice Text Splitter never ends a chunk after a heading; metadata `headings` of a chunk are those above its first words, over the pages of a PDF too; `headings` of the author win',
    decided: true,
  },
  {
    id: 'splitter:sluice:tables',
    sentence:
      'the Sluice Text Splitter names the columns above the later rows of a table and above the rest of a cell that is longer than a chunk',
    decided: true,
  },
  {
    id: 'splitter:sluice:code',
    sentence:
      'the Sluice Text Splitter knows code by the name of the file or by its text, cuts before definitions with their comments and decorators, and names the file, class and function of a chunk',
    decided: true,
  },
  {
    id: 'splitter:sluice:head',
    sentence:
      'what is above a chunk and not in its text is embedded, searched, rescored and reranked with it, is a part of what tells whether it has changed, and is neither in its `pageContent` nor in the text of its document',
    decided: true,
  },
  {
    id: 'splitter:sluice:default',
    sentence:
      'templates and the quickstart of a new data directory cut with the Sluice Text Splitter, 1000 characters with an overlap of 200 that requests may override; existing flows keep theirs',
    decided: true,
  },
  {
    id: 'sources:text',
    sentence:
      'the extracted text of a document is read in parts; each chunk is in it at its range, and what no chunk has is blank, but for the words that the load has told to be in none',
    decided: true,
  },
  {
    id: 'studio:document',
    sentence:
      'the studio shows a document beside its chunks, each marked where it comes from; each side selects the other, and the address names the chunk',
    decided: true,
  },
  {
    id: 'sources:dropped',
    sentence:
      '`GET …/sources/:flow/text` answers what was left out of the newest version of a document: kind, count, place in the file, position in the text where it is known; `null` where it is not known (earlier versions, loads of earlier releases). It is published with the load, stays with unchanged and failed files, comes back with a restored document, and goes with a backup, a reindex and a move',
    decided: true,
  },
  {
    id: 'sources:trace',
    sentence:
      '`GET …/sources/:flow/trace` answers how many characters and lines of the newest version of a document are in one chunk, in several, in none, with a map of at most 1,000 bands, and each place that is in none with its reason: left out by the splitter, its chunk deleted by a person, or removed. Characters add up. Known of each load of this release; `null` of earlier ones until the same file is sent again, and where chunks have no places',
    decided: true,
  },
  {
    id: 'sources:questions',
    sentence:
      '`GET …/sources/:flow/questions` (scope manage) answers which questions of stored conversations had which chunks of a document among the sources of their answers; plain queries are stored nowhere',
    decided: true,
  },
  {
    id: 'cli:source:trace',
    sentence: '`sluice source show --trace` prints the trace of a document, with `--json` as one object',
    decided: true,
  },
  {
    id: 'studio:document:trace',
    sentence:
      'a document in the studio has page, text and chunks scrolled together, a map of its lines, the share that is in no chunk as a filter, and what is missing at its place with the reason',
    decided: true,
  },
  {
    id: 'chunks:at',
    sentence:
      '`GET …/chunks/:flow` with `source` and `at` answers the page with the first chunk that ends behind a position of the text, or the last page',
    decided: true,
  },
  {
    id: 'cli:source:dropped',
    sentence:
      '`sluice source show` prints what was left out of a document after its chunks, with `--json` a line `{ dropped }` for each row',
    decided: true,
  },
  {
    id: 'cli:upsert:dropped',
    sentence:
      '`sluice upsert` prints what was left out of each of the first ten such files, and how many more there are',
    decided: true,
  },
  {
    id: 'studio:document:dropped',
    sentence:
      'the page of a document tells what was left out of it, a few rows at first; a row with a position leads to its place in the text and among the chunks, in a PDF to its page',
    decided: true,
  },
  {
    id: 'sources:original',
    sentence:
      'a flow with originals=keep keeps the file of each document as it was sent; it is served so that nothing in it runs, and deleted with its document',
    decided: true,
  },
  {
    id: 'sources:list',
    sentence:
      'the list of sources is searched and sorted over all pages; each row names chunks, bytes, characters, and the last job that read it',
    decided: true,
  },
  {
    id: 'sources:failed',
    sentence:
      'a file that could not be loaded is listed with its reason until it is loaded, also after its job is forgotten; a key with pins sees only its own',
    decided: true,
  },
  {
    id: 'sources:failed-retry',
    sentence:
      'a failed file of a flow with originals=keep is loaded again without being sent; where it is not kept, the answer is 404 original_not_kept',
    decided: true,
  },
  {
    id: 'upsert:ocr',
    sentence:
      'where the program tesseract is installed, pages of a PDF without text are read with it in the languages of the input ocrLanguages (English without it); pages with text are not; metadata has ocr.confidence, and a warning says how many pages were read so',
    decided: true,
  },
  {
    id: 'upsert:ocr:lacking',
    sentence:
      'where it is not installed, or a language is not, a PDF without text is empty with a warning that names what is lacking and, for a language, what is installed',
    decided: true,
  },
  {
    id: 'upsert:ocr:limits',
    sentence:
      'OCR reads at most OCR_PAGES pages of a file, each in a limited time, no picture over 40 million pixels, in a process that may write no file; what it did not read is named with the reason, and the other pages are loaded',
    decided: true,
  },
  {
    id: 'upsert:ocr:again',
    sentence: 'a PDF that was read without OCR, or in other languages, is read again when it is sent again',
    decided: true,
  },
  {
    id: 'upsert:refresh:ocr',
    sentence:
      'a source of which pages could not be read differs from its flow once they would be read otherwise than at its load (the program or a language was installed, OCR_PAGES raised): a refresh reads its kept file again, and no other',
    decided: true,
  },
  {
    id: 'upsert:password',
    sentence:
      'a request may bring a password for its PDFs, as the field password or as an override: a text for all files, or texts by the names of files with * for all others; so may a retry and a refresh; without one, with a wrong one and for a type that no password opens, the file fails with file_encrypted and a message of its own',
    decided: true,
  },
  {
    id: 'upsert:password:gone',
    sentence:
      'a password of a file is only in the encrypted request of its job and goes when that ends; it is in no log, history, audit, answer or error, and in no hash: a repeated Idempotency-Key is the same request whatever the password',
    decided: true,
  },
  {
    id: 'sources:restore',
    sentence:
      'removed documents are in no answer of a query, and can be restored with all chunks for KEEP_REMOVED_DAYS, unless they were loaded again',
    decided: true,
  },
  {
    id: 'sources:restore:not',
    sentence: 'what is removed by a filter, for a conversation, or as permanent is deleted at once',
    decided: true,
  },
  {
    id: 'sources:filter:all',
    sentence:
      'chunks are never removed by a filter that holds for all of them because something in it is empty, nor by one with a key that would be dropped',
    decided: true,
  },
  {
    id: 'query:options',
    sentence:
      '`weight`, `fusion`, `minScore`, `mmr`, `nearDuplicates`, `spelling`, `rescore`, `includeVectors` of a query replace the settings of the card, ungated',
    decided: true,
  },
  {
    id: 'query:confidence',
    sentence:
      'each hit of a query has a `confidence` from 0 to 1, the estimated probability that it answers; null where no honest one can be had: for questions of fewer than 4 or more than 40 words, for source code, and by vector alone with an embedder other than the built-in one',
    decided: true,
  },
  {
    id: 'query:confidence:unlikely',
    sentence:
      'an answer has `unlikely: true` where probably none of its chunks answers, and only in conditions (mode, script, length, embedder) in which at most 3 % of the answerable questions of collections that were not fitted on got it; clients say so only then',
    decided: true,
  },
  {
    id: 'search:repeated-terms',
    sentence:
      'in a question of at least 24 different terms a repeated term counts more, with less weight each time; in a shorter one it counts once',
    decided: true,
  },
  {
    id: 'search:tones',
    sentence:
      'in languages whose accents are tones (Vietnamese, Yoruba, Igbo) words are found with their tones and without them; with them the exact word counts more',
    decided: true,
  },
  {
    id: 'query:highlight',
    sentence:
      '`highlight: true` in a query gives the best sentence of each hit, and the words in it that were asked for, as offsets in `pageContent`',
    decided: true,
  },
  {
    id: 'query:rerank',
    sentence:
      'a reranker in the flow decides the order unless the query has `rerank: false`; its failures carry its name and 502',
    decided: true,
  },
  {
    id: 'agent:sources',
    sentence:
      'retriever tools and retrieval chains give the model the source and place of each passage; neither a name nor a text can break out of its element',
    decided: true,
  },
  {
    id: 'query:weight:scripts',
    sentence:
      'where neither query nor node set `weight`, it is the default of the embedder for the question: 0.4 with the built-in model, 0.15 for a question in Chinese, Japanese, Korean or Thai',
    decided: true,
  },
  {
    id: 'query:spelling',
    sentence:
      'a word of at least four letters that no chunk has, also one inside an identifier, is also searched as the two most likely words of the chunks that differ from it by one typing error, by a letter of another script that looks the same, or by a half-space, and the answer names both in `readings`; `spelling: false` of query or node turns it off',
    decided: true,
  },
  {
    id: 'query:rescore',
    sentence:
      'the first 20 chunks of a hybrid search with the built-in embeddings are rescored, unless query or node have `rescore: false`, fusion is rrf, the metric is not cosine, or a reranker decides; the others stay behind them',
    decided: true,
  },
  {
    id: 'query:eval',
    sentence:
      '`sluice eval` measures a flow on a collection with a data directory of its own, and finds the best weight',
    decided: true,
  },
  {
    id: 'query:eval-history',
    sentence:
      'a question of a collection may have `history`: `sluice eval` searches those earlier questions too, as a query with `history` does; another value than a list of texts is refused with its line',
    decided: true,
  },
  {
    id: 'query:history',
    sentence:
      '`history` of a query has the earlier questions of its conversation, the oldest first: the last five are searched too, with less weight, without a model; no hit has a confidence then. A retrieval chain that does not rewrite questions and a Retriever step that searches the question of the person do the same; a query without `history` is never searched so',
    decided: true,
  },
  {
    id: 'query:predict',
    sentence:
      'the same flow answers a question over HTTP (`POST /api/v1/prediction/{flowId}`), with the chunks it used',
  },
  {
    id: 'predict:fields',
    sentence:
      'a prediction takes JSON and a form, null for what a client does not set, and unknown fields; what takes no effect is named in `warnings`; what is refused is JSON with the right status, streaming or not',
    decided: true,
  },
  {
    id: 'predict:chain',
    sentence:
      'a chat flow that ends with an LLM chain answers from its prompt: the one {name} without a value is the question, the answer of a chain stands in the prompt of another one and is not shown',
    decided: true,
  },
  {
    id: 'predict:form',
    sentence:
      'the answer of a chain with an output parser is `json`: its schema is enforced by the provider where it can, the answer is checked before anything of it is shown, asked for once more where the parser says so, else refused with `answer_form_wrong`',
    decided: true,
  },
  {
    id: 'predict:stream',
    sentence:
      'a streamed answer is the frames that clients of Flowise read, byte for byte: `start`, tokens, what the answer rests on, `metadata`, `end` always last; a failure on the way is `error` and `end`',
    decided: true,
  },
  {
    id: 'predict:session',
    sentence:
      'questions are stored before they are asked, answers when they are there; a session of a closed flow belongs to the key that began it; a question without an answer is no part of what a model remembers',
    decided: true,
  },
  {
    id: 'predict:stop',
    sentence:
      'a client that goes away, an abort, and the stop of the server end a run and its call to the provider; streams of one chat are independent; a slow reader delays its own run only',
    decided: true,
  },
  {
    id: 'predict:uploads',
    sentence:
      'pictures go to models that take them, texts of files in front of the question, files for the store are loaded first; what nothing makes use of is refused; a picture is seen again by a signed link that expires',
    decided: true,
  },
  {
    id: 'predict:pages',
    sentence:
      "chat windows in pages of other sites may ask a flow as its `allowedOrigins` say (without a list every page; in open flows of a server of one machine only that machine's), and others get 403 in the flow's words",
    decided: true,
  },
  {
    id: 'predict:openai',
    sentence:
      '`/v1/chat/completions`, `/v1/models`, `/v1/embeddings` speak the protocol of OpenAI, errors included, under the same keys and limits: its official client talks to a flow unmodified',
    decided: true,
  },
  {
    id: 'flow:import',
    sentence:
      'an export of Flowise becomes a flow, with a report of what was replaced, what is not supported, and what is still to be supplied; nothing is left out silently',
    decided: true,
  },
  {
    id: 'flow:report',
    sentence:
      'an import, `sluice flow check` and `POST /flows/validate` make the same check of a flow, which builds every part as a request does: each refusal, each change and each thing that is dropped is a row (node, input, severity, what, instead), and a flow that `runs` without anything to supply answers its first question; one bad flow of an export loses no other, and no row has a secret',
    decided: true,
  },
  {
    id: 'flow:aliases',
    sentence:
      'nodes of Flowise with an equal here come in as that node, each with a line that says what is different and a line for each input that is not kept; caches are left out with their connections, with a line',
    decided: true,
  },
  {
    id: 'flow:templates',
    sentence:
      '`GET /flow-templates` lists flows to begin with, and `POST /chatflows` with `template` makes one in place of `flowData`',
    decided: true,
  },
  {
    id: 'flow:settings',
    sentence:
      '`GET` and `PATCH /chatflows/:id/settings` read and set uploads, overrides, key, credential, rate limit and every input of a node by names that a person types; a value is read as its field reads it, an unknown key is answered with the nearest',
    decided: true,
  },
  {
    id: 'flow:export',
    sentence:
      '`GET /chatflows/:id/export` keeps overrides, uploads and limits under the key `sluice`, which Flowise ignores, and no key or secret; an import takes them unless `keepSettings=false`, and its report lists them',
    decided: true,
  },
  {
    id: 'flow:access-of-copies',
    sentence:
      'a copy of a flow (`copyOf` of `POST /chatflows`) needs the same key; an export has `access` (`open` or `key`) under `sluice` and never the key; an import of a flow that needed a key (`access: key`, or a row with `apikeyid`) gets the key that `key` names, else its `apikeyid` is `closed`, which admits managers and keys that list the flow; a key that only the file names is never bound; `report.access` says all of this',
    decided: true,
  },
  {
    id: 'flow:saved-problems',
    sentence:
      'whatever a request refuses with 400 or 422 for a fault of the flow is in `problems` of the answer to the save, in `POST /flows/validate` and in `GET /flows`, with node, input and the requests that fail; `warning` says it in a sentence ("Saved, but upserts will fail: …")',
    decided: true,
  },
  {
    id: 'credential:kind',
    sentence:
      'a credential of a kind that a node does not take is refused with 422 when a flow is saved or imported, and when it is used',
    decided: true,
  },
  {
    id: 'key:bind',
    sentence: '`bind` of `POST /apikey` closes flows with the new key in the same moment, or makes no key',
    decided: true,
  },
  {
    id: 'source:sync',
    sentence:
      '`sluice upsert --sync` keeps the sources below one name as a folder is: what left the folder is removed after what is new was published, and nothing outside that name is touched',
    decided: true,
  },
  {
    id: 'source:chunks',
    sentence:
      '`GET /vector/chunks/:flowId` gives the chunks that a flow holds in order, of one source or of all, with the ids that a query gives',
    decided: true,
  },

  // C. Agent tools
  { id: 'tools:get', sentence: 'GET tool: URL, name, description, optional headers, query-params schema' },
  {
    id: 'tools:post',
    sentence: 'POST tool: URL, name, description, optional headers, body (hard-coded), body schema',
  },
  { id: 'tools:put', sentence: 'PUT tool: the same inputs as POST' },
  { id: 'tools:delete', sentence: 'DELETE tool: the same inputs as GET' },
  {
    id: 'tools:params-schema',
    sentence:
      'object keyed by parameter name; `type`, `in` (`path` or `query`), optional `required`, `description`',
  },
  { id: 'tools:body-schema', sentence: 'object keyed by field name; `type`, `required`, `description`' },
  { id: 'tools:fixed-body', sentence: 'fields of the hard-coded body override what the model wrote' },
  {
    id: 'tools:names',
    sentence:
      "the event example works as described: get_events, create_event, update_event, delete_event against the running event service; the PUT tool on `/events` meets that service's 404 and the model gets it, body included",
  },
  {
    id: 'tools:patch',
    sentence: 'a PATCH tool too, so that an agent can really update an event',
    decided: true,
  },
  {
    id: 'tools:put-path',
    sentence: 'POST, PUT and PATCH tools fill path parameters too (`/events/:id`)',
    decided: true,
  },
  {
    id: 'tools:headers',
    sentence: 'custom headers can carry credentials; they are never shown to the model or written to a log',
  },
  {
    id: 'tools:calculator',
    sentence:
      'calculates arithmetic expressions by a parser, never as code, bounded in length and depth; what has no value is told with the reason and its place',
    decided: true,
  },
  {
    id: 'tools:search',
    sentence:
      'a search service is asked as its published description says and answers with titles, addresses and texts of a bounded size; a refused key, too many calls, a web page or no result is a sentence that names the service, and its key is in no answer, message or record',
    decided: true,
  },
  {
    id: 'tools:scraper',
    sentence:
      'reads the page that the model names, or the pages of its site or sitemap up to a limit, by the rules for outgoing calls and robots.txt; what cannot be read is named',
    decided: true,
  },
  { id: 'openapi:toolkit', sentence: 'an OpenAPI YAML document becomes one tool per operation' },
  { id: 'openapi:return-direct', sentence: "the API's response is returned to the user as it is" },
  { id: 'openapi:headers', sentence: 'optional HTTP headers on each call' },
  { id: 'openapi:remove-null', sentence: 'keys with empty values are removed from the parsed parameters' },
  {
    id: 'openapi:custom-code',
    sentence:
      'code of the author shapes how a response is returned; it runs in a sandbox with no access to the process, bounded in time and memory',
  },
  {
    id: 'agent:tools',
    sentence:
      'an agent node carries request tools or an OpenAPI toolkit, chooses tools by itself, sees their results, answers',
  },
  {
    id: 'agent:date',
    sentence:
      '`{{current_date_time}}`, with any spacing inside the braces, becomes the current date and time in a system prompt',
  },
  {
    id: 'mcp:server',
    sentence:
      'a flow is an MCP server over streamable HTTP with the tools `search` and `ask`, as far as it has them and its caller may use them',
    decided: true,
  },
  {
    id: 'mcp:tools',
    sentence:
      'the tools of a remote MCP server are tools of an agent, over HTTP alone and only from hosts that MCP_ALLOW lists',
    decided: true,
  },
  {
    id: 'flow:size',
    sentence:
      'a drawing with more than 1,000 nodes, 5,000 edges or 500 nodes of an agent flow is refused when it is saved, imported or checked; one that is stored still runs',
    decided: true,
  },
  {
    id: 'egress:answer-size',
    sentence:
      'the answer of a model, an embedder, a reranker, an engine, a tool or an MCP server has a largest size; a larger one is refused with the name of its server and the limit, and no more of it is read',
    decided: true,
  },
  {
    id: 'egress:loopback',
    sentence:
      'tools, HTTP steps, code, loaders and redirects reach this machine and private networks only where EGRESS_ALLOW lists the place',
    decided: true,
  },
  {
    id: 'egress:own-port',
    sentence:
      'no call of a flow reaches the port of the server itself, by any address of its machine and with any setting',
    decided: true,
  },
  {
    id: 'egress:provider',
    sentence:
      'a provider may be on this machine without EGRESS_ALLOW where the drawing or a credential has its address, and the server listens on loopback',
    decided: true,
  },
  {
    id: 'egress:refusal',
    sentence:
      'a refused call answers 403 `egress_denied`, which names the setting that would allow it and the value to set',
    decided: true,
  },
  {
    id: 'start:ineffective-setting',
    sentence:
      'a setting that has no effect, by itself or together with others, refuses the start with `config_invalid`, which names it',
    decided: true,
  },
  {
    id: 'start:blob-url',
    sentence:
      'BLOB_URL names an S3 bucket for the files of jobs and documents; a start fails in one line that names bucket and host where it cannot be used, and secrets of it are never shown',
    decided: true,
  },
  {
    id: 'blobs:upsert',
    sentence:
      'with BLOB_URL a job whose server was killed continues from the bucket, also where the local copies are gone, and files of documents come from the bucket',
    decided: true,
  },
  {
    id: 'blobs:place',
    sentence:
      'the first start with BLOB_URL moves the files of the data directory to the bucket; later starts are refused without this bucket or a copy of it, and with the bucket of another database',
    decided: true,
  },
  {
    id: 'server:client-leaves',
    sentence: 'a client that closes its connection at any time leaves no error in the log',
    decided: true,
  },
  {
    id: 'door:before-body',
    sentence:
      'route, key, rate limit and content type are settled before the body of a request is read; a refused body is not read',
    decided: true,
  },
  {
    id: 'door:body-limit',
    sentence: 'a JSON body has at most 1 MB, more only on routes that say so and where the caller is known',
    decided: true,
  },
  {
    id: 'door:json-bounds',
    sentence:
      'JSON nested deeper than 200 levels or with more than 200,000 values is refused while it arrives, with 400',
    decided: true,
  },
  {
    id: 'door:continue',
    sentence: '`Expect: 100-continue` is answered with 100 only once the request is admitted',
    decided: true,
  },
  {
    id: 'door:body-rate',
    sentence:
      'a body that brings less than `MIN_BODY_RATE` bytes a second over `BODY_WAIT_S` seconds ends with 408',
    decided: true,
  },
  {
    id: 'door:body-memory',
    sentence:
      'bodies hold at most `BODY_MEMORY_MB`, those of one address `BODY_MEMORY_PER_ADDRESS_MB`; beyond it 503 with Retry-After',
    decided: true,
  },
  {
    id: 'door:connections',
    sentence: 'connections beyond `MAX_CONNECTIONS` and `MAX_CONNECTIONS_PER_ADDRESS` are refused with 503',
    decided: true,
  },
  {
    id: 'door:stop',
    sentence: 'the platform stops, even if clients leave requests unfinished',
    decided: true,
  },
  {
    id: 'door:one-error-body',
    sentence:
      'the one error body answers what is no valid HTTP, too, and 417, a missing or doubled Host, CONNECT',
    decided: true,
  },
  {
    id: 'door:host',
    sentence:
      'a request under a name that is not the server’s is refused with 403; `ALLOWED_HOSTS` adds names',
    decided: true,
  },
  {
    id: 'door:local',
    sentence:
      'a request is local only on a server on loopback, and where no proxy had a part in it or a proxy of `TRUST_PROXY` has it from loopback',
    decided: true,
  },
  {
    id: 'door:wrong-keys',
    sentence:
      'an address that sends more than `WRONG_KEYS_PER_MINUTE` wrong keys gets 429; keys that were right from there before still work',
    decided: true,
  },
  {
    id: 'door:models',
    sentence: '`GET /v1/models` names a flow only to pages that may ask it',
    decided: true,
  },
  {
    id: 'door:admin-key',
    sentence: 'an `ADMIN_KEY` of less than 16 characters is refused at the start',
    decided: true,
  },
  {
    id: 'errors:plain',
    sentence:
      'a refused field is described in one plain sentence: the field, what is expected, the type of what came',
    decided: true,
  },
  {
    id: 'query:unknown-fields',
    sentence:
      'fields of a query that do not exist are named in `warnings`, with the nearest that does; the status is 200, except for a name that is nearly `filter`',
    decided: true,
  },
  {
    id: 'predict:unknown-fields',
    sentence: 'the same for the body of a prediction',
    decided: true,
  },
  {
    id: 'server:route-table',
    sentence:
      'every declared route answers each kind of caller in each spelling of its path as in one table; a refused call changes nothing, and management refuses before it looks anything up',
    decided: true,
  },
  {
    id: 'studio:forms',
    sentence:
      'GET /nodes has all that a form needs of each input: range, unit, columns of lists, labels of options, conditions, load method, language, hidden older names; it comes from the declaration of the node',
    decided: true,
  },
  {
    id: 'studio:model-lists',
    sentence:
      'the input for the name of a model declares loadMethod listModels, which lists the models of the provider, with the key of the node; a refusal of the provider is answered without the key',
    decided: true,
  },
  {
    id: 'studio:variables',
    sentence:
      'GET /nodes marks with acceptVariable the inputs and columns in whose text variables ({{…}}) are replaced',
    decided: true,
  },
  {
    id: 'studio:keyboard',
    sentence:
      'a flow can be built, saved and loaded with documents in the studio with the keyboard alone: nodes are focused in the order of the lines, C lists the connections that fit and the reasons for the others, an outline lists nodes and problems',
    decided: true,
  },
  {
    id: 'flow:text',
    sentence:
      'a flow has one text in YAML, short and without secrets; read alone and written again it is equal byte for byte, read onto its drawing it changes no byte; unknown fields and nodes are kept; each mistake (YAML, unknown node or input, double id, missing target, circle, alias, size) has a line, a column and the name of the thing',
    decided: true,
  },
  {
    id: 'flow:text-route',
    sentence:
      'GET and PUT /chatflows/:id/text give and take the text of a flow, PUT as one revision and with If-Match; POST /flows/text reads a text or writes a drawing, stores nothing, and has problems at their lines, changes, and the documents that would have to be loaded again',
    decided: true,
  },
  {
    id: 'cli:flow-folder',
    sentence:
      'sluice flow pull, push and diff keep a folder of flows: pull, push, pull gives equal files; diff --check exits 1 on drift; push reads all files first, is atomic per flow, says what it does to documents, and is refused where the server has a newer revision than the one pulled',
    decided: true,
  },
  {
    id: 'studio:flow-text',
    sentence:
      'the canvas shows the flow as text: one undo for both, problems at their lines, completion, a line selects its node and the other way round, an invalid text leaves the drawing, Tab leaves the editor',
    decided: true,
  },
  {
    id: 'studio:problems',
    sentence:
      'POST /flows/validate answers all problems of a flow or draft at once, each with node, input, line, code and message; nothing is run; refused runs name node and input as well',
    decided: true,
  },
  {
    id: 'studio:revisions',
    sentence:
      'each save of a flow is a revision with author and changed fields; If-Match refuses a change of what was saved meanwhile; an earlier revision can be restored',
    decided: true,
  },
  {
    id: 'flows:undo',
    sentence:
      'a deleted flow leaves all lists and queries at once and can be restored for thirty days with its chunks, jobs, history, messages and key; ?now=true removes it for good',
    decided: true,
  },
  {
    id: 'flows:persist-state',
    sentence:
      'with Persist State in its Start node an agent flow begins with the state that the last run of the session ended with; the state is deleted with the messages of the session',
    decided: true,
  },
  {
    id: 'flows:summary',
    sentence:
      'GET /flows lists all flows without their drawings, with chunks, documents, problems, key and last upsert',
    decided: true,
  },
  {
    id: 'studio:merge',
    sentence:
      'a flow that was saved in another tab meanwhile is merged by node and input: what one side changed is taken, what both changed is chosen, and both versions stay',
    decided: true,
  },
  {
    id: 'studio:palette',
    sentence: 'Ctrl K opens a list of all commands, screens and flows, which works by keyboard alone',
    decided: true,
  },
  {
    id: 'studio:connection',
    sentence:
      'a lost connection is shown and ends by itself: a save that got no answer is repeated, streams connect again, and nothing drawn or typed is lost',
    decided: true,
  },
  {
    id: 'studio:session',
    sentence:
      'a one-time code or a key that may manage begins a studio session; its cookie counts only for pages of this server, its token is replaced while it is used, and a stolen old token ends the session',
    decided: true,
  },
  {
    id: 'server:clock',
    sentence:
      'times taken and rate limits are measured by a monotonic clock: setting the clock of the machine back or forward changes neither',
    decided: true,
  },
  {
    id: 'server:fuzz',
    sentence:
      'valid and spoiled requests to every operation of /openapi.json get answers that match their schema; no request makes the server fail inside, and no valid one is refused',
    decided: true,
  },
  {
    id: 'server:fuzz:uploads',
    sentence:
      'an upload that is broken or cut off at any byte leaves no file, no job and no error in the log',
    decided: true,
  },
  {
    id: 'server:disk-full',
    sentence:
      'below `MIN_FREE_MB` (100) of free disk, or where a write finds no room, what takes room → 507 `storage_full` with a `hint`; `/readyz` → 503 `read_only`; queries are answered; the server starts on a full disk and goes on by itself when there is room; a job that failed for want of room loses its uploads and cannot be retried',
    decided: true,
  },
  {
    id: 'server:database-damaged',
    sentence:
      'a database with damaged pages, or with contents that differ from their checksum → `/readyz` and writes 503 `database_damaged`, or the start ends with 1 and one line; while a large one is being checked `/readyz` says `"database": "being checked"`; one that is missing, empty, of another program, of another data directory or an older copy is refused at start with what to do; to go on all the same, `sluice.marker` is deleted',
    decided: true,
  },
  {
    id: 'server:check-stop',
    sentence:
      'a server that is stopped while it checks a large database ends without waiting for the check; no process of it is left over, also where the server was killed',
    decided: true,
  },
  {
    id: 'server:database-log',
    sentence:
      'after a server was killed, a write-ahead log (`sluice.db-wal`) that is missing or damaged → no server and no command opens the database: the start ends with 1 and names the log (damage within the log is seen on Linux, and not after the machine was restarted)',
    decided: true,
  },
  {
    id: 'search:image-memory',
    sentence:
      '`IMAGE_MEMORY` (MB; with `DATABASE_URL` half of the memory unless set, else no limit) is the most memory for the vectors of searches: those of the namespaces that were not searched for the longest time go, and are read again at the next search; `/metrics` has `sluice_vector_images`, `sluice_vector_image_bytes` and `sluice_vector_image_evictions_total`',
    decided: true,
  },
  {
    id: 'search:small-images',
    sentence:
      'The vectors of a namespace take memory by their number: one chunk some kilobytes and not the memory of a thousand; answers are the same to the bit',
    decided: true,
  },
  {
    id: 'search:steady-memory',
    sentence:
      'A server whose documents and namespaces are changed, searched and removed again and again keeps no memory for what is gone, also with `DATABASE_URL`',
    decided: true,
  },
  {
    id: 'search:stored-values',
    sentence:
      'values of metadata fields are kept in blocks beside the chunks (built-in store), so that the first filter on a field, or on one that no chunk has, reads few chunks; a damaged or lost block changes no answer and is made again; an index of an earlier version gets them with its next upsert or filter',
    decided: true,
  },
  {
    id: 'engines:lost',
    sentence:
      'a collection of a separate engine that is gone, closed, read-only or of another mapping is told by name: queries, upserts and dry runs answer 503 `collection_unusable` (read-only: only what writes), `/readyz` is degraded (`vector engines`), `sluice verify` has it as `failure`; chunks can still be removed',
    decided: true,
  },
  {
    id: 'engines:refused-writes',
    sentence:
      'writes that OpenSearch or Elasticsearch refuse one by one are told by their reasons, each once and with its count: `disk flood stage: 20 of 20 writes`, `read-only index`, `closed index`, else the status and type of the answer',
    decided: true,
  },
  {
    id: 'engines:waits',
    sentence:
      'a job waits up to an hour for a vector engine in another server that refuses its calls (429, 502, 503, 504, cut connections) or does not answer, once it has answered to this server, or has chunks of the namespace already (after a restart, on another server); the job then has `waiting: {server, reason, since}`, and can be cancelled. A blocking upsert or a removal that has to wait for it longer than ENGINE_TIMEOUT answers 503 `engine_waits` with Retry-After, an upsert with its `jobId`; every other request has the failure of the engine within this time',
    decided: true,
  },
  {
    id: 'engines:silent',
    sentence:
      'a vector engine that takes calls and answers none (also pgvector): each call of a request ends within ENGINE_TIMEOUT with 504 `provider_timeout`, what waits for it has `engine_waits`, `/readyz` is degraded and looks again soon after, a job says `no answer` and goes on once the engine answers',
    decided: true,
  },
  {
    id: 'verify:silent',
    sentence:
      'sluice verify ends with a sentence and exit code 1 where an engine does not answer within ENGINE_TIMEOUT; that engine is not asked for its other indexes',
    decided: true,
  },
  {
    id: 'cluster:engine',
    sentence:
      'servers over one PostgreSQL database have the same hits of one separate engine, whichever of them adds, replaces or removes, also where two bring the same source at once',
    decided: true,
  },
  {
    id: 'engines:kept',
    sentence:
      'an upsert or a dry run into an index of OpenSearch or Elasticsearch that was made with other shards, copies, vectors or efConstruction than its node has now warns with the input, what the index has and what the node says; a reindex makes it anew. Keys with pins are not told',
    decided: true,
  },
  {
    id: 'engines:removed',
    sentence:
      'points of removed documents that can be restored are in a second collection of a separate engine (`…-removed`): they hide nothing that is visible; a restore brings them back without embedding',
    decided: true,
  },
  {
    id: 'engines:staged',
    sentence:
      'points that a run writes into a separate engine have the number of the run (OpenSearch, Elasticsearch, Qdrant, Pinecone: among `sluice_facts`; Chroma and pgvector: `sluice_run`), and searches leave out those of runs that are not published, open or abandoned; points of an earlier version are found as before; points of replaced chunks are deleted with their publication, before the upsert is answered',
    decided: true,
  },
  {
    id: 'engines:one-answer',
    sentence:
      'a question to OpenSearch or Elasticsearch asks the same copies each time (`preference`), counts the rarity of words over all shards, and asks both sides by one `_msearch`, or by two searches where the credential may not; the same list comes each time while nothing is written',
    decided: true,
  },
  {
    id: 'engines:alias',
    sentence:
      'an index of OpenSearch or Elasticsearch is written through an alias, its name and `-points`; a write makes no index where that is gone; an index of an earlier version gets its alias at the first use, and where the credential may not make one it is used by its name',
    decided: true,
  },
  {
    id: 'engines:addresses',
    sentence:
      'a credential of OpenSearch or Elasticsearch (in Qdrant: the node) may have several addresses of one cluster, with commas or blanks between them: calls take them in turn; one that is away is left out for 15 seconds, up to 4 minutes after further failures, and the next is asked at once; a call that was not answered in time is not repeated at another; `EGRESS_ALLOW` and `EGRESS_DENY` hold for each',
    decided: true,
  },
  {
    id: 'engines:authority',
    sentence:
      'a credential of OpenSearch or Elasticsearch may have the certificate of the authority of its server (`ca`, PEM, also with its lines joined), which is then trusted instead of the public ones; a certificate that is not trusted, has expired or is for another name is named, and the call is not repeated',
    decided: true,
  },
  {
    id: 'engines:aws',
    sentence:
      'a credential of the kind `openSearchAws` signs each call (AWS Signature Version 4, service `es` or `aoss`); region and service are read from the endpoint unless given',
    decided: true,
  },
  {
    id: 'engines:check',
    sentence:
      '`sluice engine check ADDRESS --kind opensearch|elasticsearch|chroma|qdrant|pinecone|pgvector` tries all that a flow asks of an engine in a collection of its own (`sluice-check-…`), removes it also after a failure or an interruption, prints a row a step (`--json`: `{kind, experimental, collection, steps: [{step, outcome, found, ms}], ok}`) and ends with 1 where something does not work that an upsert needs, with 130 at an interruption; the key comes from `SLUICE_ENGINE_CREDENTIAL` or the terminal, never from an argument',
    decided: true,
  },
  {
    id: 'engines:faults',
    sentence:
      'what is wrong with OpenSearch or Elasticsearch is told by a sentence that names it, and nothing is lost: a version that is too old, a page of HTML from a proxy, another dimension or metric, a credential that may not write or make an alias, an alias over two indexes, the limit of shards; a `Retry-After` with a date is read by the clock of the server',
    decided: true,
  },
  {
    id: 'engines:in-flight',
    sentence:
      'two bulks to OpenSearch or Elasticsearch are on their way at once; where one fails nothing of their load is acknowledged, and a load again brings all; searches of the engine are shown what was loaded once, at the publication',
    decided: true,
  },
  {
    id: 'engines:chaos',
    sentence:
      'nodes of a cluster of OpenSearch that are killed, frozen, cut off, restarted or two of three away, a full disk, refused writes, a deleted and a closed index lose no acknowledged document and double none: a question answered with 200 is right, every call is answered, and afterwards ledger and engine are equal',
    decided: true,
  },
  {
    id: 'engines:index-options',
    sentence:
      'shards, copies, int8 vectors and efConstruction of a node for OpenSearch or Elasticsearch apply to a new index; with int8 vectors the first 100 hits are compared again by the exact ones',
    decided: true,
  },
  {
    id: 'engines:small',
    sentence:
      'a new index of OpenSearch 2.19 or later keeps no text of vectors in its documents, which still bring them to who reads or reindexes them',
    decided: true,
  },
  {
    id: 'verify:engines',
    sentence:
      '`sluice verify [flow]` compares separate engines with the ledger by ids, texts and metadata, and ends with 1 where they differ; `--repair`, while no server runs, removes points without a chunk and writes those that are missing or differ, with vectors that the engine has of their texts, and embeds the texts of which it has none (with the embedder that the index was made with); `--json` has `engines: [{namespace, flows, engine, comparison | failure}]`',
    decided: true,
  },
  {
    id: 'verify:vectors',
    sentence:
      'Each point of a separate engine has a check of its vector (`sluice_check`), which holds also where the engine rounds it to 16 bits or brings it to length 1; `sluice verify` names points whose vector does not meet it (`damaged`), counts those of earlier versions that have none (`unchecked`), and `--repair` embeds the texts of damaged vectors alone where no sound one has the same text',
    decided: true,
  },
  {
    id: 'repair:route',
    sentence:
      '`POST /api/v1/vector/repair/{flowId}`, of managers: a job (`repair`) under the lease of the namespace that compares the points of a separate engine and mends them as `sluice verify --repair` does; 5 lost points cost 5 texts. `?dryRun=true` (a job `verify`, without a lease) only compares, and tells how many texts a repair would embed. Jobs show how many points are compared, found and mended; cancelled or killed, what was mended stays mended. An embedder that fails or is another one leaves its texts, with the reason in `why`. The built-in store: 409 `no_points`',
    decided: true,
  },
  {
    id: 'repair:studio',
    sentence:
      'The documents of a flow with a separate engine have **Check and repair**: a comparison first, with its progress, what differs and what a repair would cost; then, when it is told to, the repair, which goes on when the dialog is closed; a sound engine says that all points are there',
    decided: true,
  },
  {
    id: 'verify:memory',
    sentence:
      'The comparison, the repair and the sweep of a separate engine keep no list of all ids in memory',
    decided: true,
  },
  {
    id: 'server:verify',
    sentence:
      '`sluice verify` reads a data directory, beside a server too, and ends with 1 where it finds something; `--json`: `{ok, checks: [{check, looked, findings, note?, skipped?}]}`',
    decided: true,
  },
  {
    id: 'upgrade:kept',
    sentence:
      'a data directory and a backup of every schema that a landed version had, from schema 24 on, open with this version: nothing in them is lost',
    decided: true,
  },
  {
    id: 'upgrade:backup',
    sentence:
      'before the schema of a data directory is changed, a backup is made in `backups` of it; the log of a start says where; where it fails, nothing is changed, unless `--no-backup` is given',
    decided: true,
  },
  {
    id: 'rescue:schemas',
    sentence:
      '`sluice rescue DIRECTORY FILE` reads a data directory or a backup of each schema from 8 to 23 without a change, and writes a backup: once restored, its flows, keys, credentials, variables, chats, ratings and contacts work as before',
    decided: true,
  },
  {
    id: 'rescue:named',
    sentence:
      'whatever refuses to open such a directory or backup (`database_older`) names `sluice rescue` with its path',
    decided: true,
  },
  {
    id: 'rescue:refused',
    sentence:
      '`sluice rescue` refuses, and writes nothing, where there is no database, the schema is below 8, or one that opens by itself, FILE exists (unless `--force`), lies in the directory, or finds no room',
    decided: true,
  },
  {
    id: 'rescue:secret',
    sentence:
      'credentials are decrypted with SECRET_KEY or the secret of the directory; those that cannot be are named, keep their ids, and make the exit code 1; all else is written',
    decided: true,
  },
  {
    id: 'rescue:in-use',
    sentence:
      'a directory that a server uses, or that was not closed, is rescued with what its log holds; a server in it is told',
    decided: true,
  },
  {
    id: 'rescue:damaged',
    sentence:
      'of a damaged database all is rescued that can be read; what is missing, or not as it was stored, is named, and the exit code is 1',
    decided: true,
  },
  {
    id: 'server:backup',
    sentence:
      '`sluice backup FILE` copies one moment of the data directory into one new file, beside a server too; `sluice restore FILE` checks it and brings it back into an empty data directory, and refuses any other',
    decided: true,
  },
  {
    id: 'server:one-at-a-time',
    sentence:
      'a data directory has one server at a time, on Linux also after the file of its lock was deleted',
  },
  {
    id: 'docs:described',
    sentence:
      'every parameter and field of `/openapi.json` has a description and an example, no schema is empty, and every answer has one',
    decided: true,
  },
  {
    id: 'docs:examples',
    sentence: 'every route has an example with its status; a server answers it so, in the described shape',
    decided: true,
  },
  {
    id: 'docs:page',
    sentence:
      'the pages of the server show every route, field and error, under a policy that allows nothing but files of the server',
    decided: true,
  },
  {
    id: 'chatflows:listed',
    sentence: 'a key without `manage` lists the flows that it may ask, without `flowData` and configuration',
    decided: true,
  },
  {
    id: 'limits:event-loop',
    sentence:
      'a document, page, robots.txt or query that arrives does not keep the server from answering others: what it costs is done on threads, in child processes or in turns',
    decided: true,
  },
  {
    id: 'limits:queries',
    sentence:
      'a query has at most 100,000 characters, all queries of a request 1,000,000; more → 400 naming the field',
    decided: true,
  },
  {
    id: 'limits:whole-piece',
    sentence:
      'a chunk has at most 16,000,000 characters, without a splitter or where one leaves a piece whole; more → 422 for that file',
    decided: true,
  },
  {
    id: 'jobs:nodes',
    sentence:
      'with `DATABASE_URL` and `BLOB_URL` any number of servers run the jobs of one database; a job is listed, followed with `Last-Event-ID`, waited for and cancelled on any of them, and continues on another one when its server stops',
    decided: true,
  },
  {
    id: 'start:pooler',
    sentence:
      '`DATABASE_URL` may lead to a connection pooler in transaction mode where `DATABASE_DIRECT_URL` is the address of the same database without it; a pooler without that, and a direct address that is pooled or has another database, are refused at the start',
    decided: true,
  },
  {
    id: 'jobs:eta',
    sentence:
      'a running job estimates in `etaSeconds` how long it will still take, once a part of its files is read',
    decided: true,
  },
  {
    id: 'jobs:dry-run',
    sentence:
      '`POST /api/v1/vector/dry-run/:flowId` is a job that embeds and stores nothing; `GET /api/v1/jobs/:id/chunks` and `/sources` list the fate of each chunk, with estimated tokens',
    decided: true,
  },
  {
    id: 'jobs:dry-run-draft',
    sentence: 'a dry run takes a drawing that is not stored (`flowData`) from managers only',
    decided: true,
  },
  {
    id: 'drafts:store',
    sentence:
      'a flow may have one draft: a drawing with its base revision, author and time, which no upsert, query or prediction uses; `PUT` of the flow stays live at once; publishing makes it a revision and live, in one transaction',
    decided: true,
  },
  {
    id: 'drafts:conflict',
    sentence:
      'If-Match of a draft is its number, "0" for none: a save, removal or publication that is based on another one is refused with 412; no number is given twice',
    decided: true,
  },
  {
    id: 'drafts:stale',
    sentence:
      'a draft is stale once the live drawing is not that of its base: it can still be saved, is told, and is published only after a save with the base of the live revision',
    decided: true,
  },
  {
    id: 'drafts:unfit',
    sentence:
      'a draft of which requests would be refused is kept and not published; the sentence names the first problem',
    decided: true,
  },
  {
    id: 'drafts:publish-running',
    sentence:
      'a publication while jobs of the flow wait or run leaves them the drawing of their request, and its answer names them',
    decided: true,
  },
  {
    id: 'drafts:questions',
    sentence:
      'a publication of a flow whose setting questions is block is refused when a question that passes now would fail, and nothing changes',
    decided: true,
  },
  {
    id: 'drafts:flow',
    sentence:
      'a draft is hidden, restored and removed with its flow; an export has it only with draft=true, a copy never; saves are in the audit log',
    decided: true,
  },
  {
    id: 'drafts:dry-run',
    sentence:
      'a dry run takes the draft (`draft`) and kept files (`refresh`), counts chunks that only moved, tells what the drawing does otherwise than the live one, and the price of the tokens where EMBEDDING_PRICES has one',
    decided: true,
  },
  {
    id: 'drafts:access',
    sentence: 'only managers see or change drafts',
    decided: true,
  },
  {
    id: 'drafts:crash',
    sentence:
      'a server that is killed within a publication leaves the draft or the new revision, never both or neither',
    decided: true,
  },
  {
    id: 'drafts:cli',
    sentence: '`sluice flow draft show|save|preview|publish|rm FLOW` does the same, with --json',
    decided: true,
  },
  {
    id: 'drafts:studio',
    sentence:
      'with STUDIO_DRAFTS, or where a flow has a draft, a save of the studio makes a draft; one bar on canvas and documents says what is not live or not loaded, shows what would change, publishes, and loads again',
    decided: true,
  },
  {
    id: 'nodes:initial',
    sentence:
      'a new record manager begins with the cleanup `incremental`, on the canvas and in templates; `initial` of its input in `/nodes` says so; a flow file without a value means `none`, as in Flowise',
    decided: true,
  },
  {
    id: 'jobs:figures',
    sentence:
      'a job has figures for each node of the flow that takes part, and a row for each file, while it runs and afterwards',
    decided: true,
  },
  {
    id: 'jobs:progress',
    sentence:
      'the counts of a job never fall within one `attempt`, whichever node is asked, by the job, the list or a stream; a job that begins again, by a retry or because its server stopped, has the next `attempt`',
    decided: true,
  },
  {
    id: 'jobs:stream',
    sentence:
      '`GET /api/v1/jobs/events` sends an event for each change of any job; after an interruption, with `Last-Event-ID`, also jobs that ended meanwhile',
    decided: true,
  },
  {
    id: 'jobs:stream-access',
    sentence: 'the stream of all jobs has only jobs of flows that the caller may load',
    decided: true,
  },
  {
    id: 'jobs:history-page',
    sentence:
      'the upsert history of a flow is paged where `page` or `limit` is given; a row is found by its id or by the id of its job',
    decided: true,
  },
  {
    id: 'stats:figures',
    sentence:
      '`GET /api/v1/stats` and `/api/v1/stats/:flowId` have the number of chunks after each upsert, the work of the last 20 upserts by step, and p50 and p95 of queries per hour since the start of the server',
    decided: true,
  },
  {
    id: 'config:masked-addresses',
    sentence: '`sluice config` masks passwords and keys within addresses as `••••`',
    decided: true,
  },
  {
    id: 'key:expires',
    sentence:
      'a key may have an end (`expiresAt`, `sluice key new --expires 30d`); after it, calls get 401 with `key_expired`',
    decided: true,
  },
  {
    id: 'key:last-used',
    sentence: 'a key shows when it was last used, written down at most once a minute',
    decided: true,
  },
  {
    id: 'secret:file',
    sentence:
      'without `SECRET_KEY`, the secret that seals credentials is in `DATA_DIR/secret.key` (0600); one in the database of an earlier version moves there',
    decided: true,
  },
  {
    id: 'secret:checked',
    sentence:
      'a server whose secret is missing or not the one that sealed its credentials refuses to start and describes how to recover',
    decided: true,
  },
  {
    id: 'secret:masked-in-runs',
    sentence:
      'credentials, secret headers and keys that a run has sent are masked as `••••` in its answer, tool outputs, stream, stored messages, errors and logs',
    decided: true,
  },
  {
    id: 'studio:recording',
    sentence:
      'Ask records a question where the flow takes recordings: by mouse and keyboard, with its length, stopped, cancelled, removed, sent again after a failure, ended at its limits; a missing and a refused microphone are told, and no microphone stays on',
    decided: true,
  },
  {
    id: 'export:stores',
    sentence:
      'the export of a whole instance has document stores in the columns of Flowise, of stored files only the names, and never chunks, keys or credentials; an import says so, and closes a store whose file does not say that it was open',
    decided: true,
  },
  {
    id: 'export:tools',
    sentence: 'the export of a whole instance has custom tools with their code and under their ids',
    decided: true,
  },
  {
    id: 'export:round',
    sentence:
      'an export of a whole instance, imported into an empty server, is exported there with the same rows and ids, except for times, ids of variables, files, and what the first export has left out',
    decided: true,
  },
  {
    id: 'providers:flows',
    sentence:
      'each provider of chat models and of embeddings is asked through an imported flow at its address, with its header and the model of the flow',
    decided: true,
  },
  {
    id: 'export:no-headers',
    sentence:
      'an export holds no password fields and no values of headers; both are named when it is exported and when it is imported',
    decided: true,
  },
  {
    id: 'server:retention',
    sentence:
      'with `KEEP_CHATS_DAYS` conversations without a message for so many days are removed with their messages, files, runs and documents, with `KEEP_LEADS_DAYS` the contact details of visitors; both at start and every hour, and the log says how many; by default nothing is removed',
    decided: true,
  },
  {
    id: 'server:readiness',
    sentence:
      '`/readyz` names each dependency (`database`, `disk`, with `BLOB_URL` the `blob store`) as `ok`, `checking` or `away`, with a reason without secrets; 503 where `database` or `disk` is away or does not answer for three seconds; 200 with `degraded` where only the `blob store` is: then queries are answered, and requests with files get 503 with `Retry-After` before their files are received; the same after a start with a bucket that is away and was the one of this database before',
    decided: true,
  },
  {
    id: 'server:drain',
    sentence:
      'after SIGTERM `/readyz` answers 503 `stopping`, and for `DRAIN_SECONDS` all other requests are taken, each answer ending its connection; then the listener closes and requests in work end within eight seconds. SIGINT does not wait, and a second signal ends the process at once',
    decided: true,
  },
  {
    id: 'server:warm',
    sentence:
      'over PostgreSQL the `WARM` namespaces that all servers were asked for most are loaded after a start before `/readyz` answers 200 (503 `warming` until then), for a minute at most; with 0 none',
    decided: true,
  },
  {
    id: 'server:copies',
    sentence:
      'over PostgreSQL a server that has not searched a namespace fetches the finished copy that another one has saved, in the bucket or in the database, and follows what was published since; a damaged copy is never searched. A server reads nothing back of what it has loaded itself',
    decided: true,
  },
  {
    id: 'server:database-read-only',
    sentence:
      'a PostgreSQL database that takes no changes, as an old primary after a failover, is away: `/readyz` and changes answer 503 with `database_read_only`, connections are opened anew, and the server goes on by itself once it takes changes again',
    decided: true,
  },
  {
    id: 'server:access-log',
    sentence:
      '`ACCESS_LOG=true` (off by default) writes one line for each request: method, pattern of the route, status, milliseconds, bytes of the answer, name of the key, request id; no path, query or key',
    decided: true,
  },
  {
    id: 'traces:spans',
    sentence:
      'with `OTEL_EXPORTER_OTLP_ENDPOINT` the server sends spans for requests, jobs and their stages, calls of embedders, models and tools, searches and outgoing calls, each within the other, with names and counts and no text of a user; without it nothing is loaded and traced',
    decided: true,
  },
  {
    id: 'traces:context',
    sentence:
      'a valid W3C `traceparent` of a request is continued; it is passed on only to the hosts in `TRACEPARENT_TO`',
    decided: true,
  },
  {
    id: 'traces:settings',
    sentence:
      'the standard variables of OpenTelemetry set address, headers, service name, resource, sampler and delay; spans are sent as OTLP in JSON; any other protocol is refused at start',
    decided: true,
  },
  {
    id: 'traces:away',
    sentence:
      'no request waits for a collector; while it is away a batch is sent once more, later spans are dropped, and the log has one warning until it is back',
    decided: true,
  },
  {
    id: 'metrics:format',
    sentence: '`GET /metrics` answers the Prometheus text format 0.0.4',
    decided: true,
  },
  {
    id: 'metrics:access',
    sentence:
      '`GET /metrics` is for managers and `METRICS_KEY`, which opens nothing else; without `METRICS_KEY` also for all callers on a server that only this machine can reach',
    decided: true,
  },
  {
    id: 'metrics:counts',
    sentence:
      'metrics count requests by method, route and status (499 where the client left before an answer), jobs by kind and state, chunks of upserts that were added, updated, skipped and deleted, calls of embedders, models and tools with failures, queries by mode, and outgoing calls by the class of their status',
    decided: true,
  },
  {
    id: 'metrics:figures',
    sentence:
      'metrics show queued and running jobs with the age of the oldest, memory, processor time, delay of the event loop, size of the database, free disk room, whether the server is read-only, and its version',
    decided: true,
  },
  {
    id: 'metrics:shared',
    sentence:
      'metrics show the state of each dependency, requests that were refused for want of room, and over PostgreSQL the connections, the leases, the leases taken over from members that are gone, and by how many publications the replica is behind; they are answered while the database is away, with the last known values and their age',
    decided: true,
  },
  {
    id: 'metrics:alerts',
    sentence: 'the alerts of `deploy/prometheus` fire for what they are about, and not for probes',
    decided: true,
  },
  {
    id: 'metrics:labels',
    sentence:
      'labels of metrics are names of this program: route patterns, states, providers, error codes; never a flow, a file, a path or a text of a user',
    decided: true,
  },
  {
    id: 'audit:log',
    sentence:
      '`GET /api/v1/audit` and `sluice audit` list calls of the management and refusals (401, 403, 429) with caller, route, object and status, bounded in number and age',
    decided: true,
  },
  {
    id: 'overrides:described',
    sentence:
      '`GET /api/v1/chatflows/:id/requests` answers which requests a flow takes, and for every input whether a request may override it, or why not',
    decided: true,
  },
  {
    id: 'credentials:kinds',
    sentence:
      '`GET /api/v1/components-credentials` answers every kind of credential that a node takes, with its fields, its nodes and whether it can be tested',
    decided: true,
  },
  {
    id: 'credentials:test',
    sentence:
      '`POST /api/v1/credentials/:id/test` calls the provider with a stored credential, through the rules for outgoing calls, and answers what it said without secrets',
    decided: true,
  },
  {
    id: 'credentials:replace-field',
    sentence:
      '`PUT /api/v1/credentials/:id` replaces the fields in `plainDataObj` and keeps the others; an empty text removes one',
    decided: true,
  },
  {
    id: 'credentials:usage',
    sentence:
      'credentials are listed with the flows and nodes that use each (`usage=true`) and the time of their last use',
    decided: true,
  },
  {
    id: 'variables:usage',
    sentence:
      'variables are listed with the flows and nodes that use each (`usage=true`), and whether a runtime variable has a value',
    decided: true,
  },
  {
    id: 'customtools:api',
    sentence: 'custom tools are read and written as in Flowise 3.1.3, with a schema of rows as JSON text',
    decided: true,
  },
  {
    id: 'customtools:problems',
    sentence:
      'a tool whose schema is none, or whose code does not parse or requires a missing module, is stored and says so',
    decided: true,
  },
  {
    id: 'customtools:try',
    sentence:
      'a tool is tried with an input; endless, greedy and forbidden code ends with a reason, and the server lives',
    decided: true,
  },
  {
    id: 'customtools:agent',
    sentence:
      'a tool agent calls a custom tool; the code reads its inputs as `$name`, `$vars` and `$flow`; the node may replace what is stored',
    decided: true,
  },
  {
    id: 'customtools:agentflow',
    sentence: 'agent flows call custom tools; a deleted one is told before the first question, and by it',
    decided: true,
  },
  {
    id: 'customtools:check',
    sentence:
      'a check names the node, the input and the line or module of a tool that cannot run, and what to use instead',
    decided: true,
  },
  {
    id: 'customtools:import',
    sentence: 'the export of a whole instance brings its tools under their ids',
    decided: true,
  },
  {
    id: 'customtools:file',
    sentence: 'the file of a tool is no flow: where it goes is said',
    decided: true,
  },
  {
    id: 'customtools:functions',
    sentence: 'functions and variables of chat flows make values for the texts of other nodes, or answer',
    decided: true,
  },
  {
    id: 'customtools:chain',
    sentence: 'a chain is a tool of an agent',
    decided: true,
  },
  {
    id: 'customtools:studio',
    sentence: 'the studio lists, makes, tries, imports and deletes tools, and says which flows use one',
    decided: true,
  },
  {
    id: 'apikey:rotate',
    sentence:
      '`POST /api/v1/apikey/:id/rotate` replaces a key and keeps its rights and flows; the old key is refused at once',
    decided: true,
  },
  {
    id: 'agent:tool-facts',
    sentence:
      'a manager gets the HTTP calls of tools (`trace.http`: method, address, status, time, size, request and response, without secrets) in events, answers, stored messages, executions and decisions that wait; other callers get none of them',
    decided: true,
  },
  {
    id: 'agent:stream-errors',
    sentence:
      'the `error` event of a stream also has `code`, `status` and `nodeId`; why an answer ended early is stored as `failure` with the message',
    decided: true,
  },
  {
    id: 'chat:conversations',
    sentence:
      '`GET /api/v1/chatflows/:id/conversations` pages through the conversations with a flow, the last used first, and searches their messages',
    decided: true,
  },
  {
    id: 'query:explain',
    sentence:
      '`explain` adds the parts of the score of a hit, the settings that were used, and the time of each stage',
    decided: true,
  },
  {
    id: 'query:expect',
    sentence:
      '`expect` with a source or a chunk says where it is in the answer, or which step left it out, with what it had and needed, and the smallest change of one setting that shows it, found by doing the query with it; all of one state of the index',
    decided: true,
  },
  {
    id: 'query:fields',
    sentence:
      '`GET /api/v1/vector/fields/:flowId` lists the metadata fields that a filter can name, with values',
    decided: true,
  },
  {
    id: 'studio:samples',
    sentence:
      'each sample of Show API runs as it is shown: cURL in a POSIX shell, Python 3 with its standard library, Node.js',
    decided: true,
  },
  {
    id: 'studio:overrides',
    sentence:
      'an override that is allowed in Configuration can be chosen in Show API, and the copied command takes effect with it',
    decided: true,
  },
  {
    id: 'studio:ask',
    sentence:
      'Ask searches a flow: hits with the parts of their scores, the sentence marked and a link to the source; question, settings and filter are in the address',
    decided: true,
  },
  {
    id: 'studio:chat',
    sentence:
      'Ask talks to a flow: a streamed answer with sources, tool calls and steps, approval with a reason, stop, edit, rating; what came of an answer that breaks is kept',
    decided: true,
  },
  {
    id: 'studio:chat-page',
    sentence:
      'A flow with isPublic and without a key has a chat page for everybody at /chatbot/:flowId; others are answered with 404, except to managers; listed sites may show it in a frame',
    decided: true,
  },
  {
    id: 'studio:embed',
    sentence:
      'The API tab has the lines that put a chat with the flow on a page, the listed sites with a warning where they stop it, and a preview',
    decided: true,
  },
  {
    id: 'studio:guide',
    sentence: 'The guide for the first hour is a screen of the studio',
    decided: true,
  },
  {
    id: 'studio:not-found',
    sentence:
      'A mistyped address in a browser is answered with 404 and a page that leads on, under /api with JSON',
    decided: true,
  },
  {
    id: 'studio:titles',
    sentence:
      'Each screen has its own title, screen · flow · Sluice, and after a navigation its heading has the focus',
    decided: true,
  },
  {
    id: 'studio:preview-files',
    sentence:
      'A preview orders its sources by their chunks, and single files can be taken out of the upsert and put back',
    decided: true,
  },
  {
    id: 'studio:server-away',
    sentence: 'The upsert dialog says that the server is away and what that means for the upsert',
    decided: true,
  },
  {
    id: 'studio:quotas',
    sentence: 'The dialog of a key has its limits and what is used of them',
    decided: true,
  },
  {
    id: 'studio:try-again',
    sentence: 'What could not be loaded says why, with a button that tries again',
    decided: true,
  },
  {
    id: 'studio:zoom',
    sentence: 'At a zoom of 200 % at least half of the height of a window is for the content of a screen',
    decided: true,
  },
  {
    id: 'studio:invite',
    sentence: 'Invite makes a link that signs another browser in to the studio once',
    decided: true,
  },
  {
    id: 'studio:executions',
    sentence:
      'Executions lists runs of flows by words of the question, flow, state and time; one is a timeline, can be stopped, and one that waits can be approved or rejected',
    decided: true,
  },
  {
    id: 'studio:runs',
    sentence:
      'Ask leads from each answer to its run, whose steps stand on one time axis, with their times as text',
    decided: true,
  },
  {
    id: 'docstores:stores',
    sentence:
      'a document store is a flow with embeddings, vector store and record manager, marked by `documentStore` of its `apiConfig`; `/document-store/store` creates, lists, changes and deletes stores; with `If-Match` a later change is refused with 412',
    decided: true,
  },
  {
    id: 'docstores:components',
    sentence: '`/document-store/components/*` list the nodes of a kind',
    decided: true,
  },
  {
    id: 'docstores:loaders',
    sentence:
      '`loader/preview` shows the chunks that a loader would make and stores nothing; `loader/save` adds or changes one, `loader/process` loads with it, and deleting it removes its documents',
    decided: true,
  },
  {
    id: 'docstores:preview-files',
    sentence: 'a preview takes files as a form, and keeps none',
    decided: true,
  },
  {
    id: 'docstores:upsert',
    sentence:
      '`document-store/upsert` makes a new loader, copies one (`docId`), replaces the documents of one (`replaceExisting`) or makes another store (`createNewDocStore`); chunks have `docId` as metadata',
    decided: true,
  },
  {
    id: 'docstores:refresh',
    sentence:
      'a refresh loads from kept files and from where loaders find theirs, with other settings where the request has some; no chunk is there twice',
    decided: true,
  },
  {
    id: 'docstores:refresh-failure',
    sentence: 'a loader that fails is a row with its error; the others load',
    decided: true,
  },
  {
    id: 'docstores:query',
    sentence:
      '`vectorstore/query` answers `{timeTaken, docs}`; inputs without effect are told, and no input changes an address',
    decided: true,
  },
  {
    id: 'docstores:parts',
    sentence:
      '`vectorstore/save`, `update` and `insert` set the parts of a store, and `insert` moves its chunks to them; `DELETE vectorstore` removes the chunks of a store or a loader',
    decided: true,
  },
  {
    id: 'docstores:keys',
    sentence:
      'a key of a store with upsert loads and sets how documents are read and cut; embeddings, vector store, new stores and loaders that find their documents are for managers',
    decided: true,
  },
  {
    id: 'docstores:edits',
    sentence:
      'an edited or deleted chunk stays so when its document is loaded again, also where text before it changed',
    decided: true,
  },
  {
    id: 'docstores:edit-conflict',
    sentence:
      'where the text of an edited chunk changed, the edit is kept aside, named in the warnings, the list of edits and the store, and is in effect again when the text comes back',
    decided: true,
  },
  {
    id: 'docstores:edit-again',
    sentence:
      'an edit is changed again as one edit, concerns one of several equal texts, and a chunk that is not there any more is 404',
    decided: true,
  },
  {
    id: 'docstores:nodes',
    sentence:
      'documentStoreVS searches a document store with its own embeddings, vector store and settings, in chains, tools and queries, within the pins of a key; the documents are loaded, listed and removed in the store alone',
    decided: true,
  },
  {
    id: 'docstores:nodes:loader',
    sentence: 'documentStore loads the chunks of a document store, as they were edited there',
    decided: true,
  },
  {
    id: 'docstores:nodes:steps',
    sentence: 'agent and retriever steps name a document store as "ID:NAME"',
    decided: true,
  },
  {
    id: 'docstores:nodes:missing',
    sentence:
      'a document store that a node names and that is not here is a line of every check, with what to do',
    decided: true,
  },
  {
    id: 'docstores:import',
    sentence:
      'document stores in the export of a whole instance become document stores here, with their parts, loaders and free ids, closed until a key is bound, and a line for each thing that differs',
    decided: true,
  },
  {
    id: 'docstores:samples',
    sentence:
      'the samples of the documentation of Flowise for document stores run as they are, in Python and with cURL',
    decided: true,
  },
  {
    id: 'compare:run',
    sentence:
      'a comparison of two to eight variants loads the documents of a flow into temporary indexes, asks the accepted questions, and gives figures, a verdict for each variant and each question, worse answers first; variants that differ only in search share an index; nothing that users see changes, and no index is left',
    decided: true,
  },
  {
    id: 'compare:as-met',
    sentence:
      'the answers of a comparison are those that users of the flow get: with its filter, threshold, mode, reranker and number of hits',
    decided: true,
  },
  {
    id: 'compare:verdict',
    sentence:
      'a verdict is one of three sentences: which is better, by how much, with an interval and the number of questions; that a difference above .02 is unlikely; or that it cannot be told, what so many questions show, and how many .02 needs',
    decided: true,
  },
  {
    id: 'compare:few-questions',
    sentence: 'below thirty questions a verdict is always that it cannot be told',
    decided: true,
  },
  {
    id: 'compare:holm',
    sentence: 'the verdicts of several variants are corrected by Holm’s procedure',
    decided: true,
  },
  {
    id: 'compare:false-verdicts',
    sentence:
      'where no variant differs from the baseline at most 5 % of comparisons tell a difference, with one look and with three',
    decided: true,
  },
  {
    id: 'compare:power',
    sentence: 'a difference of .05 is found in most comparisons with 200 questions',
    decided: true,
  },
  {
    id: 'compare:looks',
    sentence:
      'a comparison is looked at once or three times, as its request says; with three it ends at a look at which every variant differs',
    decided: true,
  },
  {
    id: 'compare:uncounted',
    sentence: 'questions that are judged by nothing among the documents are told and not asked',
    decided: true,
  },
  {
    id: 'compare:variants',
    sentence:
      'a variant is inputs with other values, an earlier revision or a drawing; documents are read from their kept files, else from the text of their stored chunks',
    decided: true,
  },
  {
    id: 'compare:refused',
    sentence: 'a comparison that cannot be made is refused with a sentence that names the variant',
    decided: true,
  },
  {
    id: 'compare:cancel',
    sentence:
      'a second comparison of a flow is refused with 409 while one is queued or runs; a comparison can be cancelled and leaves no index; the routes of jobs tell no question and no chunk of it',
    decided: true,
  },
  {
    id: 'compare:bounds',
    sentence:
      'a comparison over MAX_COMPARE_TOKENS, MAX_COMPARE_MB or MAX_COMPARE_MINUTES is refused, or ends, with the variant that does not fit',
    decided: true,
  },
  {
    id: 'compare:kill',
    sentence:
      'a comparison whose server was killed goes on at the next start with what was embedded and answered, and leaves no index',
    decided: true,
  },
  {
    id: 'compare:cli',
    sentence:
      'sluice compare prints the figures, the questions that went either way and the verdicts, or JSON; with --collection it compares over a folder without a server',
    decided: true,
  },
  {
    id: 'compare:studio',
    sentence:
      'the studio starts a comparison, follows and cancels it, shows four figures with intervals and the questions, worse ones first, opens both hits with the cut, and takes a variant into the drawing',
    decided: true,
  },
]
