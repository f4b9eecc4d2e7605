/** @jsxImportSource ../jsx */

import { runCommand } from '../../contexts/run-command'
import { isRefusal } from '../../contracts/errors'
import { Badge, Button, Card, Notice, Row } from '../kit'
import type { Place } from '../places'
import type { LocationDeps } from './location-deps'
import { ActForm, type Editing } from './outcome'
import type { Location } from './standing'

/** The agency's rules of automatic replies, as the command that shows them answers. */
export interface Rules {
  readonly is_enabled: boolean
  readonly ratings: readonly number[]
  readonly include_unrated: boolean
  readonly delay_min_minutes: number
  readonly delay_max_minutes: number
  readonly newest_days: number
  readonly tone: string
  readonly allow_templates: boolean
}

const command = 'auto-response show'

/** Null where an agency has set none; undefined where no plugin answers reviews. */
export async function rulesOf(deps: LocationDeps, { info }: Place): Promise<Rules | null | undefined> {
  if (!deps.commands.has(command)) return undefined
  try {
    return (await runCommand(deps, command, { agency_id: info.agency_id })) as unknown as Rules
  } catch (error) {
    if (isRefusal(error) && error.code === 'not_found') return null
    throw error
  }
}

interface RepliesProps {
  readonly of: Location
  readonly rules: Rules | null
  readonly agencyId: string
  readonly editing: Editing | null
}

/** Whether reviews of the location are answered by themselves, and by which rules. */
export function Replies({ of: location, rules, agencyId, editing }: RepliesProps) {
  const isOn = location.auto_response_enabled
  return (
    <Card title="Automatic replies">
      <Row>{isOn ? <Badge tone="good">on</Badge> : <Badge>off</Badge>}</Row>
      {rules?.is_enabled && <p>{sentenceOf(rules)}</p>}
      {!rules?.is_enabled && (
        <Notice
          tone={isOn ? 'warn' : 'plain'}
          title={rules ? 'The agency has switched them off' : 'The agency has set no rules'}
        >
          <p>
            {isOn
              ? 'No review is answered by itself until there are rules. '
              : 'Switched on here, they wait for the rules of the agency. '}
            {editing && (
              <>
                Whoever runs Renown sets them: <code>{`bun renown auto-response set ${agencyId}`}</code>
              </>
            )}
          </p>
        </Notice>
      )}
      {editing && (
        <ActForm
          to="replies"
          of={editing}
          hidden={{ on: isOn ? 'off' : 'on' }}
          label="Automatic replies"
          inline
        >
          <Button kind="plain">
            {isOn ? 'Switch automatic replies off' : 'Switch automatic replies on'}
          </Button>
        </ActForm>
      )}
    </Card>
  )
}

/** The rules in a sentence or two. */
export function sentenceOf(rules: Rules): string {
  const { delay_min_minutes: min, delay_max_minutes: max, newest_days: days } = rules
  const delay = min === max ? lengthOf(min) : `${lengthOf(min)} to ${lengthOf(max)}`
  const templates = rules.allow_templates ? 'a template is sent' : 'none is sent'
  if (rules.ratings.length === 0 && !rules.include_unrated)
    return 'No review is answered, whatever its stars.'
  return `${answered(rules)}, ${delay} after it is seen, in a ${rules.tone} tone. What was written more than ${
    days === 1 ? 'a day' : `${days} days`
  } before is left alone. Without a language model, ${templates}.`
}

function answered({ ratings, include_unrated }: Rules): string {
  const stars = ratings.toSorted((a, b) => a - b).map(String)
  const which = listed(stars, 'or')
  if (stars.length === 0) return 'A review without stars is answered'
  const unit = stars.length === 1 && stars[0] === '1' ? 'star' : 'stars'
  return `A review of ${which} ${unit}${include_unrated ? ', or without stars,' : ''} is answered`
}

const listed = (words: readonly string[], and: string) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${and} ${words.at(-1)}`

function lengthOf(minutes: number): string {
  const [count, unit] =
    minutes % 1440 === 0 && minutes > 1440
      ? [minutes / 1440, 'day']
      : minutes % 60 === 0 && minutes > 0
        ? [minutes / 60, 'hour']
        : [minutes, 'minute']
  return `${count} ${count === 1 ? unit : `${unit}s`}`
}
