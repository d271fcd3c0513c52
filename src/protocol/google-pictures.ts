/**
 * Where Google's editors keep the pictures whose addresses they put on the clipboard. Any page may fetch them from there (CORS).
 * Named one by one, because other names below `googleusercontent.com` belong to Google's customers.
 */
export const GOOGLE_PICTURE_HOSTS: readonly string[] = ['lh3', 'lh4', 'lh5', 'lh6', 'lh7-us', 'lh7-rt', 'lh7-qw'].map(
  (name) => `${name}.googleusercontent.com`,
);
