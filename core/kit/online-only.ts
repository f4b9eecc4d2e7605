/** Categories of online businesses, in the words of the platforms. */
const online =
  /(?<![\p{L}\p{N}])(?:online|e-?commerce|internet|software|saas|app developer|web ?(?:shop|site|hosting)|hosting|mail[ -]order|versandhandel|onlineshop|vente (?:en ligne|par correspondance)|tienda online|comercio electr[oó]nico|digital (?:agency|products?)|podcast|newsletter|dropshipping)(?![\p{L}\p{N}])/iu

/** What a location's record says about where the business is. */
export interface Whereabouts {
  readonly address_line1?: string | undefined
  readonly postal_code?: string | undefined
  readonly business_category?: string | undefined
  readonly enrichment?: { readonly service_area?: string | undefined } | undefined
}

/**
 * Whether a business has no physical location, by its record alone. A street, a postal code or a service area means that it has
 * one. Otherwise, a category of online business means that it has none. Null if neither is known.
 */
export function inferOnlineOnlyOf({
  address_line1 = '',
  postal_code = '',
  business_category = '',
  enrichment,
}: Whereabouts): boolean | null {
  if (address_line1 !== '' || postal_code !== '' || (enrichment?.service_area ?? '') !== '') return false
  return online.test(business_category) ? true : null
}
