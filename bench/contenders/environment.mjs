// The environment variables that the benchmark sets for every contender.
export const port = Number(process.env.PORT);
export const studyApiUrl = process.env.STUDY_API_URL;
