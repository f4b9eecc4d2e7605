/** @jsxImportSource renown/web */
import {
  Button,
  Card,
  CardForm,
  Facts,
  formFields,
  type PageCardProps,
  Row,
  Select,
  Text,
  TextArea,
} from 'renown/web'
import type { Location } from '../contract'

const notesMax = 4_000

const choices = [
  ['inferred', 'Use the imported value'],
  ['yes', 'Yes, customers do not visit it'],
  ['no', 'No, customers visit it'],
] as const

/** A card with the notes, and whether the business is online only. */
export default function NotesCard(card: PageCardProps<Location>) {
  const { data: location } = card
  const { manual_notes: notes } = location
  const fields = formFields(card, 'notes')
  if (!card.mayChange)
    return (
      <Card title="Notes">
        <Facts of={[['Online only', onlineWords(location)]]} />
        <h3>Notes about the business</h3>
        {notes ? <Text>{notes}</Text> : <p class="hint">None.</p>}
      </Card>
    )
  return (
    <Card title="Notes">
      <CardForm card={card} action="notes" label="Notes">
        <Select
          {...fields('online_only', onlineChoice(location))}
          label="Online only"
          options={choices}
          hint={`Now: ${onlineWords(location)}. An online-only business needs no address in an audit.`}
        />
        <TextArea
          {...fields('notes', notes)}
          label="Notes about the business"
          hint="Renown keeps these notes and does not use them yet."
          maxlength={notesMax}
          optional
        />
        <Row>
          <Button kind="plain">Save</Button>
        </Row>
      </CardForm>
    </Card>
  )
}

const onlineChoice = ({ is_online_only, is_online_only_overridden }: Location) => {
  if (!is_online_only_overridden) return 'inferred'
  return is_online_only ? 'yes' : 'no'
}

/** Says whether the business is online only, and whether a person set that. */
function onlineWords({ is_online_only, is_online_only_overridden }: Location): string {
  if (is_online_only === undefined || is_online_only === null) return 'not known yet'
  const by = is_online_only_overridden ? 'as you say' : 'until Renown reads the profile again'
  return `${is_online_only ? 'yes' : 'no'}, ${by}`
}
