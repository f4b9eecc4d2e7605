/** @jsxImportSource renown/web */
import { titleOf, Value } from 'renown/web'

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** Opening hours by day, in the order of a week. Hours in another form are shown unchanged. */
export function Hours({ of: hours }: { readonly of: unknown }) {
  const week = weekOf(hours)
  if (!week) return <Value of={hours} />
  return (
    <ul class="plain">
      {week.map(([day, times]) => (
        <li key={day}>
          <span class="hint">{`${titleOf(day)}: `}</span>
          {times === '' ? 'closed' : <bdi>{times}</bdi>}
        </li>
      ))}
    </ul>
  )
}

/**
 * Returns `{"monday":[{"opens":"09:00","closes":"17:00"}]}` as pairs of a day and its times. Null for any
 * other form.
 */
function weekOf(hours: unknown): (readonly [day: string, times: string])[] | null {
  if (typeof hours !== 'object' || hours === null || Array.isArray(hours)) return null
  const given = hours as Readonly<Record<string, unknown>>
  if (Object.keys(given).some((day) => !days.includes(day))) return null
  const week = days
    .filter((day) => Object.hasOwn(given, day))
    .map((day) => [day, timesOf(given[day])] as const)
  return week.every((each): each is readonly [string, string] => each[1] !== null) ? week : null
}

function timesOf(spans: unknown): string | null {
  if (!Array.isArray(spans)) return null
  const texts = spans.map((span) => {
    const { opens, closes } = (span ?? {}) as { opens?: unknown; closes?: unknown }
    return typeof opens === 'string' && typeof closes === 'string' ? `${opens}–${closes}` : null
  })
  return texts.includes(null) ? null : texts.join(', ')
}
