import { plainRule } from './rule'
import type { VisibilityRuler } from './ruler'

/**
 * The definition of Semrush that can be applied to own answers. The score "AI Visibility" (0 to 100) compares brands over Semrush's own prompts
 * by a formula that is not published.
 */
export const semrushRulers: readonly VisibilityRuler[] = [
  {
    name: 'semrush-mentions',
    definition: 'semrush.mentions@1',
    label: 'Mentions',
    publisher: 'Semrush',
    source: { url: 'https://fr.semrush.com/kb/1594-ai-search-health-audit', read_on: '2026-11-23' },
    says: 'Number of prompts in which the brand is included in the text of responses.',
    assumptions: [
      'Semrush gives a number of its own prompts. Here it is a share of the prompts of the tracker.',
      'The score AI Visibility has no published formula, so no ruler can reproduce it.',
      'The page does not say what a mention is. Any occurrence of the name counts here.',
    ],
    rule: { ...plainRule, mention: 'named', weight: 'prompt' },
  },
]
