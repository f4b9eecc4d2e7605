import type { AnyEntity } from '../../contracts/entity'
import type { ListData } from '../../contracts/list'
import type { AnyPage, PageDeclaration, PageRecord } from '../../contracts/page'
import { type ListPageDeclaration, listPage } from './lists/define-list-page'

/**
 * Declares a page for people. With `list`, it shows a list and needs nothing else. With `record`, it is about one row, which its
 * `load` gets.
 */
export function definePage<Own = unknown>(
  declaration: ListPageDeclaration<Own>,
): PageDeclaration<ListData<Own>>
export function definePage<E extends AnyEntity, Data>(
  declaration: PageDeclaration<Data, [PageRecord<E>]> & {
    readonly record: { readonly entity: E; readonly param: string }
  },
): AnyPage
export function definePage<Data>(declaration: PageDeclaration<Data>): PageDeclaration<Data>
export function definePage(declaration: AnyPage | ListPageDeclaration<unknown>): AnyPage {
  return 'list' in declaration ? listPage(declaration) : declaration
}
