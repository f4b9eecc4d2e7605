import { plainRule } from './rule'
import type { VisibilityRuler } from './ruler'

const profound = {
  publisher: 'Profound',
  source: {
    url: 'https://help.tryprofound.com/articles/9363559589-profound-glossary',
    read_on: '2026-11-23',
  },
} as const
const open = [
  'The page does not say whether prompts that name the brand count. They count here.',
  'The page does not say what a mention is. Any occurrence of the name counts here.',
] as const

/** The definitions of Profound's glossary, as of 2026-04-19. */
export const profoundRulers: readonly VisibilityRuler[] = [
  {
    ...profound,
    name: 'profound-visibility',
    definition: 'profound.visibility@1',
    label: 'Visibility',
    says: 'Responses in which the brand appears, among all tracked responses. A response counts once.',
    assumptions: open,
    rule: { ...plainRule, mention: 'named' },
  },
  {
    ...profound,
    name: 'profound-share-of-voice',
    definition: 'profound.share_of_voice@1',
    label: 'Share of Voice',
    says: 'Responses that mention the brand, among the mentions of all companies in all responses.',
    assumptions: [
      ...open,
      'Profound counts every company that a response names. Renown knows the tracked competitors only, so this value is too high.',
    ],
    rule: { ...plainRule, mention: 'named', share_of: 'namings' },
  },
]
