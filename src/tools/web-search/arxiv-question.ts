/** A question in words finds papers with all of them; one in the syntax of arXiv is sent as it is, an id names a paper. */
export function arxivQuestion(question: string): Record<string, string> {
  const ids = question.split(/[\s,]+/)
  if (ids.every((id) => /^(\d{4}\.\d{4,5}|[a-z-]+(\.[A-Z]{2})?\/\d{7})(v\d+)?$/.test(id)))
    return { id_list: ids.join(',') }
  if (/\b(ti|au|abs|co|jr|cat|rn|all):/.test(question)) return { search_query: question }
  const words = question.match(/[\p{L}\p{N}][\p{L}\p{N}'-]*/gu) ?? [question]
  return { search_query: words.map((word) => `all:${word}`).join(' AND ') }
}
