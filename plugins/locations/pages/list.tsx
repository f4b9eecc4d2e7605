/** @jsxImportSource renown/web */
import type { ListData } from 'renown/pages'
import type { TypedIdInput } from 'renown/records'
import { Head, Listed, type PageProps } from 'renown/web'
import type { Used } from '../capacity'
import { AddForm } from './add-form'

interface Own {
  /** Null if locations are not counted, or if the person may not see the count. */
  readonly used: Used | null
  readonly mayAdd: boolean
  /** The ids on platforms that can be typed. */
  readonly ids: readonly TypedIdInput[]
}

/** The page with the businesses of a workspace. */
export default function List({ data, csrf, outcome }: PageProps<ListData<Own>>) {
  const { list, used, mayAdd, ids } = data
  const isOfProspects = list.filters.some(({ name, value }) => name === 'view' && value === 'prospects')
  return (
    <>
      <Head title="Business locations">
        Each review and each website belongs to one.{used && ` ${used.words}`}
      </Head>
      <Listed of={list} />
      {mayAdd && (
        <AddForm
          csrf={csrf}
          outcome={outcome}
          isProspect={isOfProspects || outcome?.values?.kind === 'prospect'}
          isFull={used?.isFull === true}
          ids={ids}
        />
      )}
    </>
  )
}
