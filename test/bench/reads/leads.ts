import { randomSource } from '../../support/random-documents'

const syllables =
  'garden terrace quiet Sunday booking roof plumber recommend anyone asking harbour price urgent week'.split(
    ' ',
  )
const from = Date.parse('2026-01-01T00:00:00Z')

/** Makes leads of about 2 KB, the same ones every time. */
const stages = ['new', 'contacted', 'qualified', 'won', 'lost'] as const

export function createLeads() {
  const random = randomSource(1)
  const words = (count: number) => Array.from({ length: count }, () => random.one(syllables)).join(' ')
  return (number: number, workspace_id: string, location_id: string) => {
    const at = new Date(from + random.below(300) * 86_400_000 + number).toISOString()
    return {
      id: `led_${String(number).padStart(26, '0')}`,
      workspace_id,
      location_id,
      created_date: at,
      updated_date: at,
      mention_id: `men_${String(number).padStart(26, '0')}`,
      tracker_id: `trk_${number % 40}`,
      intent_score: random.below(101),
      intent_reason: words(40),
      stage: stages[number % 7] ?? 'new',
      notes: words(220),
      first_name: words(1),
      last_name: words(1),
      email: `${number}@example.org`,
      suburb: words(1),
      postcode: String(1000 + (number % 9000)),
      source: 'reddit' as const,
      is_archived: number % 11 === 0,
    }
  }
}
