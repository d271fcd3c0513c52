/** One @ between two parts without blanks, as the server asks; also a dot after the @, and no list of addresses. */
export const isEmail = (text: string): boolean => /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/u.test(text);
