/** How an editor shows the nodes of a category: the name of a Lucide icon, and a colour of the editor. */
export type CategoryLook = { icon: string; colour: string }

const LOOKS: Readonly<Record<string, CategoryLook>> = {
  'Agent Flows': { icon: 'workflow', colour: 'violet' },
  Agents: { icon: 'bot', colour: 'violet' },
  Chains: { icon: 'link-2', colour: 'violet' },
  'Chat Models': { icon: 'message-square-text', colour: 'blue' },
  'Document Loaders': { icon: 'file-text', colour: 'amber' },
  Embeddings: { icon: 'waypoints', colour: 'teal' },
  Memory: { icon: 'brain', colour: 'pink' },
  Moderation: { icon: 'shield', colour: 'pink' },
  'Output Parsers': { icon: 'braces', colour: 'pink' },
  Prompts: { icon: 'text-quote', colour: 'amber' },
  'Record Manager': { icon: 'list-checks', colour: 'slate' },
  Rerankers: { icon: 'arrow-down-wide-narrow', colour: 'teal' },
  Retrievers: { icon: 'search', colour: 'teal' },
  'Text Splitters': { icon: 'scissors', colour: 'orange' },
  Tools: { icon: 'wrench', colour: 'blue' },
  'Tools (MCP)': { icon: 'plug', colour: 'blue' },
  Utilities: { icon: 'code', colour: 'slate' },
  'Vector Stores': { icon: 'database', colour: 'green' },
}

/** @throws Error for a category that has no look: each category of a card needs one */
export function lookOfCategory(category: string): CategoryLook {
  const look = LOOKS[category]
  if (!look) throw new Error(`the category ${category} has no icon`)
  return look
}
