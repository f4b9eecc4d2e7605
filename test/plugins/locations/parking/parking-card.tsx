/** @jsxImportSource renown/web */
import { Button, Card, CardForm, Field, formFields, type PageCardProps, Row } from 'renown/web'

export default function ParkingCard(card: PageCardProps<{ spaces: number | null }>) {
  const { spaces } = card.data
  const field = formFields(card, 'set-parking')
  return (
    <Card title="Parking">
      <p>{spaces === null ? 'Unknown.' : `${spaces} spaces.`}</p>
      {card.mayChange && (
        <CardForm card={card} action="set-parking" label="Parking">
          <Field
            {...field('spaces', spaces === null ? '' : String(spaces))}
            label="Spaces"
            inputmode="numeric"
          />
          <Row>
            <Button kind="plain">Save parking</Button>
          </Row>
        </CardForm>
      )}
    </Card>
  )
}
