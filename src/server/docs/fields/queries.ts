import type { FieldDocs } from './field-doc.ts'

/** Queries and the chunks that they find. */
export const queryFields: FieldDocs = {
  query: ['The question, 1 to 100,000 characters', 'How long is the notice period?'],
  q: ['The question, 1 to 100,000 characters', 'How long is the notice period?'],
  queries: ['Up to 100 questions, instead of query', ['How long is the notice period?']],
  topK: ['The number of chunks to return, 1 to 1,000', 4],
  mode: ['The kind of search: vector (by meaning), keyword, or hybrid for both', 'hybrid'],
  fusion: ['How hybrid search combines both searches: by scores (convex) or by ranks (rrf)', 'convex'],
  weight: [
    'The weight of the vector search, 0 to 1; the keyword search has the rest. The default of the built-in embeddings is 0.4, and 0.15 for questions in Chinese, Japanese, Korean and Thai',
    0.4,
  ],
  minScore: [
    'The least scores.vector of a returned chunk, -1 to 1; not compared with score or confidence. Refused in keyword mode, which has no vector score',
    0.3,
  ],
  mmr: ['Whether to prefer chunks that differ from each other (maximal marginal relevance)', true],
  fetchK: ['MMR: the number of best chunks to choose from, 1 to 1,000', 20],
  lambda: ['MMR: 1 counts only relevance, 0 only difference', 0.5],
  nearDuplicates: [
    'true leaves out chunks with nearly the same content as a better one; a number is the least cosine of two such chunks, 0 to 1',
    true,
  ],
  rerank: ['Whether the reranker of the flow, if it has one, orders the best chunks again', false],
  'body.spelling': [
    'Whether a word of four letters or more that no chunk has is also searched as the words of the chunks that differ from it by one typing error; the default is true. Applies to keyword and hybrid search in the built-in vector store',
    false,
  ],
  'query.spelling': [
    'Whether a word of four letters or more that no chunk has is also searched as the words of the chunks that differ from it by one typing error; the default is true. Applies to keyword and hybrid search in the built-in vector store',
    'false',
  ],
  'body.rescore': [
    'Whether the first 20 chunks of a hybrid search are ordered again by their sentences, phrases and the beginning of their source; the default is true. Applies to flows with the built-in embeddings, fusion convex, metric cosine and no reranker',
    false,
  ],
  'query.rescore': [
    'Whether the first 20 chunks of a hybrid search are ordered again by their sentences, phrases and the beginning of their source; the default is true. Applies to flows with the built-in embeddings, fusion convex, metric cosine and no reranker',
    'false',
  ],
  includeVectors: ['Whether each chunk has its vector', false],
  'body.highlight': [
    'Whether each chunk has the sentence that matches the question best; the default is false',
    true,
  ],
  'query.highlight': ['Whether each chunk has the sentence that matches the question best', 'true'],

  'body.explain': [
    'Whether the answer has the parts of each score, the used settings and the time of each stage',
    true,
  ],
  'query.explain': [
    'Whether the answer has the parts of each score, the used settings and the time of each stage',
    'true',
  ],

  // the answer
  docs: ['The chunks, best first', []],
  results: ['One answer per question, in their order', []],
  'docs.id': ['The id of the chunk', '8d2c0f'],
  'sourceDocuments.id': ['The id of the chunk', '8d2c0f'],
  score: [
    'The chunks are ordered by this number, larger is better; comparable within one answer only. vector: the cosine. keyword: BM25 divided by the best BM25 of the answer. hybrid: weight × cosine + (1 - weight) × that, or with fusion rrf the sum of 1 / (60 + rank); rescored, a weighted sum that also has the parts which explain lists, about 1 for a chunk that is the question. With a reranker: its score',
    0.71,
  ],
  scores: ['The scores of each search', { vector: 0.62, keyword: 4.1 }],
  'scores.vector': [
    'The exact cosine of question and chunk, -1 to 1; with metric dot the dot product, with euclidean 1 / (1 + distance). Its scale depends on the embedder. null in keyword mode',
    0.62,
  ],
  keyword: [
    'BM25, above 0 and without an upper limit; depends on the question and the collection. null if the keyword search did not find the chunk',
    4.1,
  ],
  'scores.rerank': ['The score of the reranker, on its own scale', 0.92],
  confidence: [
    'The estimated probability that this chunk answers the question, 0 to 1; comparable between queries. null where no honest figure can be had: for questions of fewer than 4 or more than 40 words, for source code, where another server searches the words, and with an embedder other than the built-in one in vector mode and for chunks that only the vector search found',
    0.8,
  ],
  unlikely: [
    'true where probably none of the chunks answers the question. Absent where that is not so, and where it cannot be said',
    true,
  ],
  highlight: [
    'With highlight in the request: the sentence of pageContent that matches best; null if none does',
    { from: 0, to: 36, words: [{ from: 4, to: 10 }] },
  ],
  words: ['The words of the question in this sentence', [{ from: 4, to: 10 }]],
  'highlight.from': ['Start in pageContent, in UTF-16 code units, from 0', 0],
  'highlight.to': ['End in pageContent, exclusive, in UTF-16 code units', 36],
  'words.from': ['Start in pageContent, in UTF-16 code units, from 0', 4],
  'words.to': ['End in pageContent, exclusive, in UTF-16 code units', 10],
  vector: ['The vector of the chunk', [0.1, 0.2]],
  parts: [
    'With explain in the request: the parts of the score by which the chunk was ranked, before a reranker. They add up to it; a part can be negative',
    { vector: 0.12, keyword: 0.21, sentence: 0.09, coverage: 0.06, phrase: 0.03, head: 0.02, length: 0.01 },
  ],
  'parts.vector': ['The part of the vector search', 0.12],
  'parts.keyword': ['The part of the keyword search', 0.21],
  sentence: ['Rescoring: the part of the best sentence of the chunk', 0.09],
  coverage: ['Rescoring: the part of the terms of the question that the chunk has', 0.06],
  phrase: [
    'Rescoring: the part of terms that have the same order as in the question, or are close to each other',
    0.03,
  ],
  head: ['Rescoring: the part of the beginning of the source', 0.02],
  length: ['Rescoring: the part of the length of the chunk, compared with the mean of the first 20', 0.01],
  'parts.offset': ['For a chunk after the first 20: a constant that keeps it after the rescored ones', -0.02],
  explanation: ['With explain in the request: how the chunks were found', {}],
  'explanation.settings': [
    'The settings that were used: those of the request, the flow, or the defaults',
    {},
  ],
  metric: ['How vectors are compared', 'cosine'],
  reranker: ['Whether a reranker ordered the chunks', false],
  readings: [
    'The words of the question that were also searched in another spelling; absent for none',
    [{ word: 'recieve', readAs: ['receive'] }],
  ],
  word: ['A word of the question that no chunk has', 'recieve'],
  readAs: [
    'The words that were searched too, the most likely first, without accents; two at most',
    ['receive'],
  ],
  'settings.spelling': ['Whether unknown words were also searched in other spellings', true],
  'settings.rescore': ['Whether the first chunks were rescored', true],
  filtered: ['Whether a filter of the flow or the request was used', false],
  'settings.embedder': ['The embedder that made the vectors', 'built-in'],
  stages: ['The milliseconds of each stage, of all questions together', {}],
  'stages.plan': ['Reading the flow', 0.4],
  embed: ['Embedding the questions', 3.1],
  'stages.search': ['Searching by vector and keyword, and ranking', 1.2],
  'stages.rescore': ['Reading and scoring the first chunks again', 0.9],
  choose: ['Leaving out near duplicates, reranking, MMR', 0.1],
  'stages.highlight': ['Finding the best sentences', 2.5],

  // the fields of metadata
  'data.field': ['The path of the field, as filters name it', 'loc.pageNumber'],
  'data.types': ['The types of its values, the most frequent first', ['number']],
  'data.values': ['Some of its values, the most frequent first', [1, 2]],
  sampled: ['The number of chunks that were looked at', 1000],
}
