import { readFileSync } from 'node:fs'

const KEPT = JSON.parse(
  readFileSync(new URL('../../../examples/questions.json', import.meta.url), 'utf8'),
) as { question: string; file: string; answer: string }[]

/** More questions to the sample documents, each with words of the passage that answers it. */
const MORE: readonly [question: string, source: string, quote: string][] = [
  [
    'How much money goes back if I call off my event two months ahead?',
    'house-rules.md',
    'half of the deposit is kept',
  ],
  ['May I bring my own wine?', 'house-rules.md', 'Corkage is $12 a bottle of wine'],
  [
    'Can somebody in a wheelchair come with a helper for nothing?',
    'house-rules.md',
    'A companion ticket is free',
  ],
  [
    'What happens when I arrive after the reading has begun?',
    'house-rules.md',
    'nobody is let in after the first fifteen minutes',
  ],
  [
    'How loud and how long may we celebrate outside?',
    'house-rules.md',
    'On five nights a year the yard may play until midnight',
  ],
  ['Is glitter allowed?', 'house-rules.md', 'glitter a flat **$300**'],
  ['What does it cost to get my money back for a ticket?', 'house-rules.md', 'for a fee of $1.50 each'],
  ['How many days off do I have?', 'handbook.txt', '30 working days a year for a full week'],
  ['Who do I ring when I am sick?', 'handbook.txt', 'Call the house telephone, 555-0140, before your shift'],
  ['Can I get some of my pay early?', 'handbook.txt', 'An advance of up to $800 can be had twice a year'],
  [
    'How much may a group buy without asking everybody?',
    'handbook.txt',
    'A circle may spend up to $5,000 on a single thing',
  ],
  ['How do I resign?', 'handbook.txt', 'Notice is six weeks to the end of a month'],
  ['Where can I leave my bike?', 'handbook.txt', 'Bicycles go into the net shed'],
  ['Someone is bullying me, who can help?', 'handbook.txt', 'Go to the safeguarding lead, Miriam Oyelaran'],
  [
    'What happens to things that guests forget?',
    'handbook.txt',
    'Lost property is kept for 60 days in the red chest',
  ],
  ['Do parents get extra money?', 'handbook.txt', 'receive $140 a month for'],
  [
    'Why was there no wireless internet in April?',
    'tickets.jsonl',
    'Wi-Fi broke down with 300 robots in the hall',
  ],
  ['Why was the beer only foam?', 'tickets.jsonl', 'Tap 4 pours foam only'],
  ['Which car has trouble when it is hot?', 'tickets.jsonl', 'Gertrude does not start when warm'],
  ['Who damaged the fence of the birds?', 'tickets.jsonl', 'Rope of the tern fence chewed through'],
  ['Why did we throw fish away?', 'tickets.jsonl', 'Mackerel thrown away'],
]

/** Questions to the sample documents, judged by passages. */
export const TOUR_QUESTIONS = [
  ...KEPT.map(({ question, file }) => ({
    text: question,
    origin: 'import',
    judgements: [{ source: file, grade: 1 }],
  })),
  ...MORE.map(([text, source, quote]) => ({
    text,
    origin: 'import',
    judgements: [{ source, passage: { quote }, grade: 1 }],
  })),
]
