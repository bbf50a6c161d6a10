declare module 'virtual:routes' {
  export const SIDE: 'merchant' | 'operator'
  /** By `people.logIn`, or by the id of a public route: method and path. */
  export const ROUTES: Readonly<Record<string, readonly [method: string, path: string]>>
}
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  // biome-ignore lint/style/noDefaultExport: Vite gives the names of a sheet as its default export
  export default classes
}
declare module '*.css' {}
