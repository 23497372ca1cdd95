/** Rows that no test cites yet, by the work that will bring the tests. A row leaves the list when a test cites it. */
export const PENDING: readonly { by: string; ids: readonly string[] }[] = [
  {
    by: 'issue 6, agents',
    ids: [
      'query:predict',
      'tools:get',
      'tools:post',
      'tools:put',
      'tools:delete',
      'tools:params-schema',
      'tools:body-schema',
      'tools:fixed-body',
      'tools:names',
      'tools:patch',
      'tools:put-path',
      'tools:headers',
    ],
  },
  { by: 'the studio', ids: ['upsert:ui'] },
]
