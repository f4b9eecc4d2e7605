/** @jsxImportSource renown/web */
import type { TypedIdInput } from 'renown/records'
import {
  Button,
  Card,
  CardForm,
  type Children,
  CopyField,
  Facts,
  Field,
  formFields,
  Moment,
  OutLink,
  type PageCardProps,
  Row,
} from 'renown/web'
import type { Location } from '../contract'
import { IdHint } from './id-hint'
import { ratingOf } from './location-state'
import { profileFields } from './profile-fields'

/** The data of the card. */
export interface ProfileData {
  readonly location: Location
  /** Its ids on platforms, with their names. */
  readonly ids: readonly { readonly label: string; readonly value: string }[]
  /** How it was added, in words. Null if it is not known. */
  readonly addedFrom: string | null
  /** The ids on platforms that can be typed. */
  readonly typedIds: readonly TypedIdInput[]
  /** Maximum lengths of values, in characters. */
  readonly longest: { readonly name: number; readonly line: number }
}

type Props = PageCardProps<ProfileData>

/** A card with the name, the address and the platform ids of the business. */
export default function ProfileCard(card: Props) {
  const { location } = card.data
  return (
    <Card title="Profile">
      <Facts of={[...factsOf(card.data), ...idsOf(card.data)]} />
      {location.review_link && (
        <CopyField name="review-link" label="Where customers write a review" value={location.review_link} />
      )}
      {card.mayChange && <Change {...card} />}
    </Card>
  )
}

const addressOf = ({ address_line1, address_line2, postal_code, city, state, country }: Location) =>
  [address_line1, address_line2, [postal_code, city].filter(Boolean).join(' '), state, country]
    .filter(Boolean)
    .join(', ')

/** Returns a fact, if it is known. */
const given = (name: string, known: unknown, value: Children): (readonly [string, Children])[] =>
  known === undefined || known === null || known === '' ? [] : [[name, value]]

const said = (name: string, text: string | undefined) => given(name, text, <bdi>{text}</bdi>)

function factsOf({ location, addedFrom }: ProfileData): (readonly [string, Children])[] {
  const { phone, website, google_maps_url, is_verified, last_full_review_sync_at: full } = location
  return [
    ...said('Category', location.business_category),
    ...said('Address', addressOf(location)),
    ...given('Telephone', phone, <bdi dir="ltr">{phone}</bdi>),
    ...given('Website', website, <OutLink href={website ?? ''} />),
    ...given('On the map', google_maps_url, <OutLink href={google_maps_url ?? ''} />),
    ['Rating', ratingOf(location)],
    ...given('Verified', is_verified, is_verified ? 'yes, by the platform' : 'no'),
    ['Added', <Moment key="added" at={location.created_date} />],
    ...given('Added from', addedFrom, addedFrom),
    ['Last read', <Moment key="synced" at={location.last_synced_at} />],
    ...given('All reviews read', full, <Moment at={full} />),
  ]
}

function idsOf({ location, ids }: ProfileData): (readonly [string, Children])[] {
  const id = (name: string, value: string | undefined) => given(name, value, <code>{value}</code>)
  return [
    ...id('Id', location.id),
    ...ids.flatMap(({ label, value }) => id(label, value)),
    ...id('YouTube channel', location.youtube_channel_id),
    ...id('Reddit account', location.reddit_username ?? location.reddit_account_id),
  ]
}

function Change(card: Props) {
  const { location, longest, typedIds } = card.data
  const field = formFields(card, 'profile')
  const isFaulty = card.outcome?.action === 'profile'
  return (
    <details class="fold" open={isFaulty}>
      <summary>Change the profile</summary>
      <CardForm card={card} action="profile" label="Change the profile">
        {profileFields.map(([name, label]) => (
          <Field
            key={name}
            {...field(name, location[name])}
            label={label}
            autocomplete="off"
            maxlength={name === 'business_name' ? longest.name : longest.line}
            optional={name !== 'business_name'}
          />
        ))}
        {typedIds.map(({ field: name, label, hint, finder }) => (
          <Field
            key={name}
            {...field(name, location[name])}
            label={label}
            hint={<IdHint hint={hint} finder={finder} />}
            autocomplete="off"
            maxlength={longest.line}
            optional
          />
        ))}
        <Row>
          <Button kind="plain">Save the profile</Button>
        </Row>
      </CardForm>
    </details>
  )
}
