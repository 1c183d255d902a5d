// What every contender is told.
export const port = Number(process.env.PORT);
export const studyApiUrl = process.env.STUDY_API_URL;
