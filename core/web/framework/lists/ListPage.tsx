/** @jsxImportSource ../../kit/jsx */
import type { ListData } from '../../../contracts/list'
import type { PageProps } from '../../kit/browser/page-props'
import { Head } from '../../kit/parts/kit'
import { Listed } from '../../kit/parts/listed'

interface Texts {
  readonly title: string
  readonly about?: string
}

/** A page that shows one list and nothing else. */
export default function ListPage({ data: { title, about, list } }: PageProps<ListData<Texts>>) {
  return (
    <>
      <Head title={title}>{about}</Head>
      <Listed of={list} />
    </>
  )
}
