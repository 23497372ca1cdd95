import { choiceField, numberField, objectField, type ValuesOf } from '../../contract/field.ts'
import type { Reranker } from '../../contract/reranker.ts'
import { FUSIONS, METRICS, MODES, type RetrievalSettings, SEARCH_TYPES } from '../../contract/retrieval.ts'
import { joinFilters, parseFilter } from '../../vector/filter.ts'

const additional = { additional: true }
const share = { min: 0, max: 1 }

/** How a store answers: the inputs that the card of every store has; the first five by Flowise's names. */
export const retrievalFields = {
  topK: numberField('Top K', 4, { whole: true, min: 1, max: 1000 }, additional),
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
      description: 'How many of the best mmr chooses from',
    },
  ),
  lambda: numberField('Lambda', 0.5, share, {
    ...additional,
    description: 'What mmr goes by: 1 relevance alone, 0 difference alone',
  }),
  filter: objectField('Metadata Filter', {
    merge: joinFilters,
    ...additional,
    description: 'A fence: requests can narrow it, not widen it',
  }),
  mode: choiceField('Mode', MODES, 'hybrid', {
    ...additional,
    description: 'Search by meaning, by keyword, or by both',
  }),
  metric: choiceField('Metric', METRICS, 'cosine', {
    ...additional,
    description:
      'What makes vectors close. Scores are the cosine, the dot product, or 1 / (1 + the euclidean distance)',
  }),
  weight: numberField('Weight', undefined, share, {
    ...additional,
    description:
      'What meaning counts for in hybrid search, the rest goes to keywords. Default: 0.4 with the built-in embeddings, 0.7 with those of a provider; sluice eval finds the best',
  }),
  fusion: choiceField('Fusion', FUSIONS, 'convex', {
    ...additional,
    description: 'How hybrid search joins its sides: by their scores, or by their ranks (rrf)',
  }),
  minScore: numberField(
    'Minimum Score',
    undefined,
    { min: -1, max: 1 },
    {
      ...additional,
      description: 'The least cosine of a chunk that is given',
    },
  ),
  nearDuplicates: numberField('Near Duplicates', undefined, share, {
    ...additional,
    description: 'The cosine from which on a chunk repeats a better one and is left out, such as 0.98',
  }),
}

/** The settings that these inputs make. @throws SluiceError `filter_invalid` */
export function retrievalSettings(
  { filter, weight, minScore, nearDuplicates, ...given }: ValuesOf<typeof retrievalFields>,
  reranker: Reranker | undefined,
): RetrievalSettings {
  const { topK, searchType, fetchK, lambda, mode, metric, fusion } = given
  return {
    topK,
    searchType,
    fetchK,
    lambda,
    mode,
    metric,
    fusion,
    ...(weight === undefined ? {} : { weight }),
    ...(minScore === undefined ? {} : { minScore }),
    ...(nearDuplicates === undefined ? {} : { nearDuplicates }),
    ...(Object.keys(filter).length > 0 ? { filter: parseFilter(filter) } : {}),
    ...(reranker ? { reranker } : {}),
  }
}
