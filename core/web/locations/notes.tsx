/** @jsxImportSource ../jsx */
import { Button, Card, Facts, Row, Select } from '../kit'
import { TextArea } from '../text-area'
import { Text } from './hostile'
import { ActForm, type Editing, fieldsOf } from './outcome'
import type { Location } from './standing'

export const notesMax = 4_000

const choices = [
  ['inferred', 'Left to what is read of it'],
  ['yes', 'Yes, it has no place that customers visit'],
  ['no', 'No, customers visit it'],
] as const

/** Whether it is online only, and what people tell the AI about it. */
export function Notes({ of: location, editing }: { of: Location; editing: Editing | null }) {
  const { manual_notes: notes } = location
  if (!editing)
    return (
      <Card title="Search and notes">
        <Facts of={[['Online only', onlineWords(location)]]} />
        <h3>Notes for the AI</h3>
        {notes ? <Text>{notes}</Text> : <p class="hint">None.</p>}
      </Card>
    )
  const online = fieldsOf('notes', editing)('online_only', onlineChoice(location))
  return (
    <Card title="Search and notes">
      <ActForm to="notes" of={editing} label="Search and notes">
        <Select
          {...online}
          label="Online only"
          options={choices}
          hint={`Now: ${onlineWords(location)}. A business without a place is searched for everywhere.`}
        />
        <TextArea
          {...fieldsOf('notes', editing)('notes', notes)}
          label="Notes for the AI"
          hint="Read along wherever mentions of it are judged. Nobody outside sees them."
          maxlength={notesMax}
          optional
        />
        <Row>
          <Button kind="plain">Save</Button>
        </Row>
      </ActForm>
    </Card>
  )
}

const onlineChoice = ({ is_online_only, is_online_only_overridden }: Location) => {
  if (!is_online_only_overridden) return 'inferred'
  return is_online_only ? 'yes' : 'no'
}

/** Whether it is, and who says so. */
export function onlineWords({ is_online_only, is_online_only_overridden }: Location): string {
  if (is_online_only === undefined || is_online_only === null) return 'not known yet'
  const by = is_online_only_overridden ? 'as you say' : 'until a reading says otherwise'
  return `${is_online_only ? 'yes' : 'no'}, ${by}`
}
