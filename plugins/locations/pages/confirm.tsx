/** @jsxImportSource renown/web */
import { Button, ButtonLink, Card, type Children, Form, Head, type PageProps, Row } from 'renown/web'
import { addressOf, onePath } from '../addresses'
import type { Confirmed } from '../cards/confirmed'

/** The data of the page. */
export interface ConfirmData {
  readonly id: string
  readonly to: Confirmed
  /** Whether all paid locations are in use. */
  readonly isFull: boolean
  /** Such as `Sign Bakery?` */
  readonly title: string
}

/** The page that confirms a change of a location's state, and says what happens then. */
export default function Confirm({ data, csrf }: PageProps<ConfirmData>) {
  const { id, to, isFull, title } = data
  const back = addressOf(id)
  const isTrial = to === 'sign' && isFull
  const button = title.slice(0, -1)
  return (
    <Card>
      <Head title={title} />
      {wordsFor(to, isFull)}
      <Form
        action={`${onePath}/${to}`}
        csrf={csrf}
        hidden={{ location: id, back, ...(isTrial ? { trial: 'yes' } : {}) }}
      >
        <Row>
          <Button kind={to === 'sign' ? 'primary' : 'danger'}>
            {isTrial ? `${button}, with a trial` : button}
          </Button>
          <ButtonLink href={back} kind="quiet">
            Rather not
          </ButtonLink>
        </Row>
      </Form>
    </Card>
  )
}

function wordsFor(to: Confirmed, isFull: boolean): Children {
  if (to === 'sign')
    return (
      <p>
        It becomes a client. Renown reads its reviews from now on.{' '}
        {isFull
          ? 'All paid locations are in use, so it starts with a trial. A business has only one trial.'
          : 'It counts as a paid location.'}
      </p>
    )
  if (to === 'rest')
    return (
      <p>
        Renown stops fetching its data and answering its reviews, and keeps everything fetched so far. You can
        activate another location instead, and this one again later.
      </p>
    )
  return (
    <p>
      The location is paused at once and kept. A business has one trial: it cannot have another, and comes
      back as a paid location.
    </p>
  )
}
