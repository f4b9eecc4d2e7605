import { plainRule } from './rule'
import type { VisibilityRuler } from './ruler'

const ahrefs = {
  publisher: 'Ahrefs Brand Radar',
  source: {
    url: 'https://help.ahrefs.com/en/articles/15501968-ai-visibility-metrics',
    read_on: '2026-11-23',
  },
} as const
const open = [
  'Ahrefs asks its own prompts. Here the definition is applied to the prompts of the tracker.',
  'The page does not say what a mention is beyond an appearance. Any occurrence of the name counts here.',
] as const

/** The definitions of Ahrefs that can be applied to own answers. */
export const ahrefsRulers: readonly VisibilityRuler[] = [
  {
    ...ahrefs,
    name: 'ahrefs-mentions',
    definition: 'ahrefs.mentions@1',
    label: 'Mentions',
    says: 'A response with the name counts as one mention, however often it has the name.',
    assumptions: [...open, 'Ahrefs gives a number. Here it is a share of all answers.'],
    rule: { ...plainRule, mention: 'named' },
  },
  {
    ...ahrefs,
    name: 'ahrefs-share-of-voice',
    definition: 'ahrefs.share_of_voice@1',
    label: 'AI Share of Voice',
    says: 'Share of the brand beside its competitors, from mentions and impressions.',
    assumptions: [
      ...open,
      'Ahrefs has impressions, estimated from search volumes. Renown knows no search volumes, so each answer has the same weight.',
    ],
    rule: { ...plainRule, mention: 'named', share_of: 'namings' },
  },
  {
    ...ahrefs,
    name: 'ahrefs-citations',
    definition: 'ahrefs.citations@1',
    label: 'Citations',
    says: 'A response that cites a page counts once for it. Pages that were found and not cited do not count.',
    assumptions: [
      'Ahrefs gives a number for each page. Here it is the share of answers that cite any page of the brand.',
    ],
    rule: { ...plainRule, counts: 'citations' },
  },
]
