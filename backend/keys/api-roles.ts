// The roles that a request may run as. A token that names another one is refused everywhere, also when its signature is right:
// the backend changes roles as superuser, so `postgres` or `supabase_admin` in a token would be obeyed.

export const API_ROLES = ['anon', 'authenticated', 'service_role'] as const;
export type ApiRole = (typeof API_ROLES)[number];

export const isApiRole = (role: unknown): role is ApiRole => API_ROLES.some((one) => one === role);
