import { plainRule } from './rule'
import type { VisibilityRuler } from './ruler'

const otterly = {
  publisher: 'Otterly.AI',
  source: { url: 'https://help.otterly.ai/glossary', read_on: '2026-11-23' },
} as const
const open = 'The page does not say what a mention is. Any occurrence of the name counts here.'

/** The definitions of Otterly's KPI glossary. */
export const otterlyRulers: readonly VisibilityRuler[] = [
  {
    ...otterly,
    name: 'otterly-brand-coverage',
    definition: 'otterly.brand_coverage@1',
    label: 'Brand Coverage',
    says: 'Prompts in which the brand is present, among all monitored prompts.',
    assumptions: [
      open,
      'A prompt counts if any of its answers in the period has the name. This value rises with the number of answers, even if nothing changes.',
    ],
    rule: { ...plainRule, mention: 'named', weight: 'prompt' },
  },
  {
    ...otterly,
    name: 'otterly-share-of-voice',
    definition: 'otterly.share_of_voice@1',
    label: 'Share of Voice',
    says: 'Share of the brand in the mentions of the brand and of its competitors. A mention is each time that a response has the name.',
    assumptions: [open],
    rule: { ...plainRule, mention: 'named', share_of: 'namings', repeats: 'each_time' },
  },
]
