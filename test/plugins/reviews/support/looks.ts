import controls from '../../../../plugins/reviews/writing/control-sentences.json'

/** What a model answers about a reply when it finds nothing. */
export const nothingFound = {
  facts: [],
  promises: [],
  admissions: [],
  prices: [],
  contacts: [],
  blame: [],
} as const

/** What a model answers that reads well: it finds the made-up sentence, and nothing else. */
export const cleanLook = { ...nothingFound, facts: [controls.en] }
