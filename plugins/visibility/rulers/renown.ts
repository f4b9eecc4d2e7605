import { plainRule } from './rule'
import type { VisibilityRuler } from './ruler'

const ours = { publisher: 'Renown', source: null, assumptions: [] } as const

/** The definitions that other answers of Renown use. */
export const renownRulers: readonly VisibilityRuler[] = [
  {
    ...ours,
    name: 'renown-mention-rate-2',
    definition: 'visibility.mention_rate@2',
    label: 'Mention rate',
    says: 'Mean of the mention rates of all cells (prompt, engine and country), each with the same weight. Branded prompts, removed prompts and incidents are left out.',
    rule: {
      ...plainRule,
      removed_prompts: 'left_out',
      branded_prompts: 'left_out',
      incidents: 'left_out',
      weight: 'cell',
    },
  },
  {
    ...ours,
    name: 'renown-mention-rate-1',
    definition: 'visibility.mention_rate@1',
    label: 'Pooled mention rate',
    says: 'Answers that name the brand, among all answers.',
    rule: plainRule,
  },
  {
    ...ours,
    name: 'renown-share-of-voice-2',
    definition: 'visibility.share_of_voice@2',
    label: 'Share of voice',
    says: 'Answers that name the brand, among the namings of the brand and of all tracked competitors. An answer counts each name once. Branded prompts are left out, because their answers name the brand anyway.',
    rule: { ...plainRule, branded_prompts: 'left_out', share_of: 'namings' },
  },
  {
    ...ours,
    name: 'renown-share-of-voice-1',
    definition: 'visibility.share_of_voice@1',
    label: 'Share of voice with branded prompts',
    says: 'Share of voice, with branded prompts counted too.',
    rule: { ...plainRule, share_of: 'namings' },
  },
  {
    ...ours,
    name: 'renown-citation-rate-1',
    definition: 'visibility.citation_rate@1',
    label: 'Citation rate',
    says: "Answers that cite the brand's own site, among all answers.",
    rule: { ...plainRule, counts: 'citations' },
  },
  {
    ...ours,
    name: 'renown-position-1',
    definition: 'visibility.position@1',
    label: 'Average position',
    says: 'Average place of the brand among the tracked names of an answer. Names in lists and headings come first.',
    rule: { ...plainRule, counts: 'places' },
  },
]
