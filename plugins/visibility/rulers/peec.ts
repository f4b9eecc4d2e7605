import { plainRule } from './rule'
import type { VisibilityRuler } from './ruler'

const peec = (page: string) =>
  ({
    publisher: 'Peec AI',
    source: { url: `https://docs.peec.ai/metrics/brand-metrics/${page}.md`, read_on: '2026-11-23' },
  }) as const
const open = 'The page does not say what a mention is. Any occurrence of the name counts here.'

/** The brand metrics of Peec AI's documentation. */
export const peecRulers: readonly VisibilityRuler[] = [
  {
    ...peec('visibility'),
    name: 'peec-visibility',
    definition: 'peec.visibility@1',
    label: 'Visibility',
    says: 'Responses that mention the brand, among all responses.',
    assumptions: [open],
    rule: { ...plainRule, mention: 'named' },
  },
  {
    ...peec('share-of-voice'),
    name: 'peec-share-of-voice',
    definition: 'peec.share_of_voice@1',
    label: 'Share of Voice',
    says: 'Number of times the brand was mentioned, among all mentions of tracked brands.',
    assumptions: [open, 'Several mentions in one response count each time, as the formula is written.'],
    rule: { ...plainRule, mention: 'named', share_of: 'namings', repeats: 'each_time' },
  },
  {
    ...peec('position'),
    name: 'peec-position',
    definition: 'peec.position@1',
    label: 'Position',
    says: 'Average rank of the brand, over the responses in which it appears.',
    assumptions: ['The rank is the place among the tracked names.'],
    rule: { ...plainRule, mention: 'named', counts: 'places' },
  },
]
