/** @jsxImportSource renown/web */
import { Head, Notice, type PageProps, Row } from 'renown/web'
import { ReviewRating } from '../cards/location-state'
import type { Location } from '../contract'
import { offersTrial, Refused, Try } from './refused'

/** The data of the page. */
export interface OneData {
  readonly location: Pick<
    Location,
    'id' | 'business_name' | 'is_prospect' | 'is_active' | 'trial_state' | 'trial_end'
  >
  readonly mayChange: boolean
}

/** The page of one location, with its cards. */
export default function One({ data, cards, notice, outcome, ...page }: PageProps<OneData>) {
  const { location, mayChange } = data
  return (
    <>
      <Head title={location.business_name} />
      <Row>
        <ReviewRating of={location} />
      </Row>
      {notice !== null && <Notice tone="good">{notice}</Notice>}
      {outcome && !outcome.ok && <Refused of={outcome} />}
      {outcome && offersTrial(outcome) && mayChange && <Try page={page} outcome={outcome} id={location.id} />}
      {cards}
    </>
  )
}
