/** @jsxImportSource ../jsx */
import { Button, Card, Facts, Row, Select } from '../kit'
import { TextArea } from '../parts/text-area'
import { Text } from './hostile'
import { ActForm, type Editing, fieldsOf } from './outcome'
import type { Location } from './standing'

export const notesMax = 4_000

const choices = [
  ['inferred', 'Left to what is read of it'],
  ['yes', 'Yes, it has no place that customers visit'],
  ['no', 'No, customers visit it'],
] as const

/** Whether the business is online only, and what people note about it. */
export function Notes({ of: location, editing }: { of: Location; editing: Editing | null }) {
  const { manual_notes: notes } = location
  if (!editing)
    return (
      <Card title="Notes">
        <Facts of={[['Online only', onlineWords(location)]]} />
        <h3>Notes about the business</h3>
        {notes ? <Text>{notes}</Text> : <p class="hint">None.</p>}
      </Card>
    )
  const online = fieldsOf('notes', editing)('online_only', onlineChoice(location))
  return (
    <Card title="Notes">
      <ActForm to="notes" of={editing} label="Notes">
        <Select
          {...online}
          label="Online only"
          options={choices}
          hint={`Now: ${onlineWords(location)}. An online-only business needs no address in an audit.`}
        />
        <TextArea
          {...fieldsOf('notes', editing)('notes', notes)}
          label="Notes about the business"
          hint="Renown keeps these notes and does not use them yet."
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
