import { choiceField, flagField, numberField, objectField } from '../../cards/field.ts'
import type { ValuesOf } from '../../contract/field.ts'
import type { Reranker } from '../../contract/reranker.ts'
import { FUSIONS, METRICS, MODES, type RetrievalSettings, SEARCH_TYPES } from '../../contract/retrieval.ts'
import { joinFilters, parseFilter } from '../../vector/filter.ts'

const additional = { additional: true }
const zeroToOne = { min: 0, max: 1 }

/** The retrieval inputs of every vector store node. The first five have Flowise's names. */
export const retrievalFields = {
  topK: numberField('Top K', 4, { whole: true, min: 1, max: 1000 }, { ...additional, main: true }),
  searchType: choiceField('Search Type', SEARCH_TYPES, 'similarity', {
    ...additional,
    description: 'mmr chooses chunks that differ from one another',
  }),
  fetchK: numberField(
    'Fetch K',
    20,
    { whole: true, min: 1, max: 1000 },
    {
      ...additional,
      description: 'For mmr: the number of best chunks to choose from',
    },
  ),
  lambda: numberField('Lambda', 0.5, zeroToOne, {
    ...additional,
    description: 'For mmr: 1 chooses by relevance only, 0 by difference only',
  }),
  filter: objectField('Metadata Filter', {
    merge: joinFilters,
    ...additional,
    description: 'A mandatory filter: a request can narrow it, but not widen it',
  }),
  mode: choiceField('Mode', MODES, 'hybrid', {
    ...additional,
    description: 'Search by meaning, by keyword, or by both',
  }),
  metric: choiceField('Metric', METRICS, 'cosine', {
    ...additional,
    description:
      'How vectors are compared. The score is the cosine, the dot product, or 1 / (1 + euclidean distance)',
  }),
  weight: numberField('Weight', undefined, zeroToOne, {
    ...additional,
    description:
      'For hybrid: the weight of the vector score; the keyword score has the rest. Default: 0.4 with the built-in embeddings, 0.15 for questions in Chinese, Japanese, Korean and Thai, 0.7 with those of a provider. sluice eval finds the best value',
  }),
  fusion: choiceField('Fusion', FUSIONS, 'convex', {
    ...additional,
    description: 'For hybrid: how the two results are combined, by scores (convex) or by ranks (rrf)',
  }),
  spelling: flagField('Spelling', true, {
    ...additional,
    description:
      'For keyword and hybrid search in the built-in store: a word that no chunk has is also searched as the words of the chunks that differ by one typing error',
  }),
  rescore: flagField('Rescore', true, {
    ...additional,
    description:
      'For hybrid with the built-in embeddings: orders the first 20 chunks again by their sentences, phrases and the beginning of their source',
  }),
  minScore: numberField(
    'Minimum Score',
    undefined,
    { min: -1, max: 1 },
    {
      ...additional,
      description: 'Chunks whose cosine with the query is lower are left out',
    },
  ),
  nearDuplicates: numberField('Near Duplicates', undefined, zeroToOne, {
    ...additional,
    description: 'Leaves out a chunk whose cosine with a better chunk is at least this, such as 0.98',
  }),
}

const { metric: _, ...others } = retrievalFields

/** The retrieval inputs of a store whose metric is fixed when its collections are created. */
export const remoteRetrievalFields = others

/** Flowise's input of some stores: the chat window then takes files. They are found by their conversation alone. */
export const fileUploadField = flagField('File Upload', false, {
  ...additional,
  description: 'Files that are sent in a chat are stored, and found in that chat alone',
})

/** The retrieval settings from the values of these inputs. @throws SluiceError `filter_invalid` */
export function retrievalSettings(
  values: ValuesOf<typeof retrievalFields>,
  reranker: Reranker | undefined,
): RetrievalSettings {
  // Values that belong to other inputs of the node are left out.
  const { topK, searchType, fetchK, lambda, mode, metric, fusion, spelling, rescore } = values
  const { filter, weight, minScore, nearDuplicates } = values
  return {
    topK,
    searchType,
    fetchK,
    lambda,
    mode,
    metric,
    fusion,
    spelling,
    rescore,
    ...(weight === undefined ? {} : { weight }),
    ...(minScore === undefined ? {} : { minScore }),
    ...(nearDuplicates === undefined ? {} : { nearDuplicates }),
    ...(Object.keys(filter).length > 0 ? { filter: parseFilter(filter) } : {}),
    ...(reranker ? { reranker } : {}),
  }
}
