import type { Block, TreeSection } from '../blocks/block'
import { cutText } from '../blocks/texts'

/** The parts of frozen insights that reports show. */
interface ShownInsights {
  readonly topThemes?: readonly string[] | null | undefined
  readonly recommendations?: readonly string[] | null | undefined
  readonly unknown_because?: string | undefined
}

/** Shows what a language model said, or that it failed. Without a model there is nothing to show. */
export function insightsPart(found: ShownInsights | undefined): TreeSection[] {
  const themes = (found?.topThemes ?? []).map((theme) => cutText(theme, 80))
  const items = (found?.recommendations ?? []).map((text) => ({ text: cutText(text) }))
  const why = found?.unknown_because
  const blocks: Block[] = [
    ...(themes.length === 0
      ? []
      : [
          {
            kind: 'text' as const,
            by: 'model' as const,
            paragraphs: [`People write most about ${themes.join(', ')}.`],
          },
        ]),
    ...(items.length === 0 ? [] : [{ kind: 'next' as const, items }]),
    ...(why?.startsWith('the language model failed')
      ? [
          {
            kind: 'note' as const,
            text: 'Themes and recommendations are unknown: the language model failed.',
          },
        ]
      : []),
  ]
  return blocks.length === 0 ? [] : [{ name: 'insights', title: 'What people say, and what to do', blocks }]
}
