import type { PublishedSkill } from '../../../core/skills/catalog'
import type { DemoFacts } from './demo-world'

/** A call of a tool that a skill shows. */
export interface SkillCall {
  readonly skill: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** The calls in the blocks and lines of a skill, with the words in capitals replaced. */
export function callsOf(skill: PublishedSkill, words: Readonly<Record<string, string>>): SkillCall[] {
  const lines = skill.instructions.matchAll(/(?:^|`)([a-z]\w+) (\{.*?\})(?=$|`)/gm)
  return [...lines].map(([, tool = '', json = '']) => ({
    skill: skill.name,
    tool,
    args: JSON.parse(json.replace(/"([A-Z]+(?:_[A-Z]+)+)"/g, (_, word) => replaced(words, word))),
  }))
}

function replaced(words: Readonly<Record<string, string>>, word: string): string {
  const value = words[word]
  if (value === undefined) throw new Error(`No skill explains ${word}`)
  return JSON.stringify(value)
}

/** What stands for the words in capitals in the demo. */
export function wordsOfDemo({ rows }: DemoFacts): Readonly<Record<string, string>> {
  const idOf = (name: string, holds: (row: Readonly<Record<string, unknown>>) => unknown = () => true) =>
    String(rows(name).find(holds)?.id)
  const isOpen = (row: Readonly<Record<string, unknown>>) => !row.removed_at_source_at
  const drafted = rows('Review').find((row) => isOpen(row) && row.ai_suggested_response)
  return {
    LOCATION_ID: idOf('BusinessLocation'),
    REVIEW_ID: String(drafted?.id),
    MENTION_ID: idOf('Mention', (row) => isOpen(row) && !row.suggested_reply),
    LEAD_ID: idOf('Lead'),
    TRACKER_ID: idOf('VisibilityTracker'),
    PROMPT_ID: idOf('VisibilityPrompt'),
    REPORT_ID: idOf('Report', ({ status }) => status === 'completed'),
    SITE_ID: idOf('AiTrafficSite'),
    NOTIFICATION_ID: idOf('Notification'),
    EXISTING_DRAFT: String(drafted?.ai_suggested_response),
    EXISTING_REPLY: '',
    END_OF_TODAY: '2026-11-20T23:59:59Z',
  }
}
