/** The fields of the profile that people may edit, with their labels. */
export const profileFields = [
  ['business_name', 'Name'],
  ['business_category', 'Category'],
  ['website', 'Website'],
  ['phone', 'Telephone'],
  ['address_line1', 'Address'],
  ['address_line2', 'Second line of the address'],
  ['postal_code', 'Postal code'],
  ['city', 'City'],
  ['state', 'State or region'],
  ['country', 'Country'],
] as const

/** The name of one of these fields. */
export type ProfileField = (typeof profileFields)[number][0]
