/** @jsxImportSource renown/web */
import { Badge, Button, Card, CardForm, Notice, type PageCardProps, Row } from 'renown/web'
import { type Rules, sentenceOf } from './rules-sentence'

/** The data of the card. */
export interface RepliesData {
  readonly isOn: boolean
  /** Null if the agency has no rules. */
  readonly rules: Rules | null
}

/** A card that shows whether reviews of the location get automatic replies, and by which rules. */
export default function RepliesCard(card: PageCardProps<RepliesData>) {
  const { isOn, rules } = card.data
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
              ? 'They are on for this location. Renown sends none until the rules of the agency are on. '
              : 'They are off for this location, and the rules of the agency are not on. '}
            {card.mayChange && <a href="/app/reviews/rules">Set the reply rules</a>}
          </p>
        </Notice>
      )}
      {card.mayChange && (
        <CardForm
          card={card}
          action="replies"
          hidden={{ on: isOn ? 'off' : 'on' }}
          label="Automatic replies"
          inline
        >
          <Button kind="plain">
            {isOn ? 'Switch automatic replies off' : 'Switch automatic replies on'}
          </Button>
        </CardForm>
      )}
    </Card>
  )
}
